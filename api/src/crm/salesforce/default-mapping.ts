import { CONTACT_METHODS } from '@guidon/contract/contact'
import {
  ARMS,
  BRANCHES,
  CLAIM_TYPES,
  CONTACT_TIMES,
  DISABILITY_RATINGS,
  ETHNICITIES,
  GENDERS,
  RACES,
  YES_NO,
} from '@guidon/contract/intake'
import { DEPLOYMENT_CHOICES } from '@guidon/contract/intake-questions'
import { STATES } from '@guidon/contract/states'

const same = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]))

/** The portal's names, and their API names in an org that was deployed from `salesforce/`. */
export const defaultMapping = {
  contact: {
    object: 'Contact',
    fields: {
      portalUserId: 'Portal_User_Id__c',
      firstName: 'FirstName',
      lastName: 'LastName',
      email: 'Email',
      phone: 'Phone',
      street: 'MailingStreet',
      city: 'MailingCity',
      state: 'MailingState',
      zip: 'MailingPostalCode',
      caseManager: 'Case_Manager__c',
      boxFolderId: 'Box_Folder_Id__c',
      deceased: 'Deceased__c',
    },
  },
  user: { object: 'User', fields: { name: 'Name', email: 'Email', phone: 'Phone' } },
  appointment: {
    object: 'Appointment__c',
    fields: {
      contact: 'Veteran__c',
      date: 'Appointment_Date__c',
      time: 'Appointment_Time__c',
      clinicName: 'Clinic_Name__c',
      clinicPhone: 'Clinic_Phone__c',
      status: 'Status__c',
    },
    values: { status: { scheduled: 'Scheduled' } },
  },
  document: {
    object: 'Document_Request__c',
    fields: {
      contact: 'Veteran__c',
      portalDocumentId: 'Portal_Document_Id__c',
      name: 'Name',
      type: 'Document_Type__c',
      boxFileId: 'Box_File_Id__c',
      lastUploadedAt: 'Last_Uploaded_At__c',
      dueDate: 'Due_Date__c',
      reason: 'Reason__c',
      status: 'Status__c',
      statusReason: 'Status_Reason__c',
      note: 'Note__c',
    },
    values: {
      status: {
        requested: 'Requested',
        received: 'Received',
        reviewed: 'Reviewed',
        notUsable: 'Not usable',
      },
    },
  },
  claim: {
    object: 'Claim__c',
    fields: {
      contact: 'Veteran__c',
      title: 'Name',
      stage: 'Stage__c',
      stageSince: 'Stage_Since__c',
      stageReason: 'Stage_Reason__c',
      nextStep: 'Next_Step__c',
      closed: 'Closed__c',
    },
  },
  documentCategory: {
    object: 'Document_Category__mdt',
    fields: { name: 'MasterLabel', sort: 'Sort__c' },
  },
  contactRequest: {
    object: 'Contact_Request__c',
    fields: {
      contact: 'Veteran__c',
      portalRequestId: 'Portal_Request_Id__c',
      method: 'Method__c',
      requestedAt: 'Requested_At__c',
    },
    values: { method: same(CONTACT_METHODS) },
  },
  intake: {
    object: 'Intake__c',
    fields: {
      contact: 'Veteran__c',
      portalIntakeId: 'Portal_Intake_Id__c',
      submittedAt: 'Submitted_At__c',
      street: 'Street__c',
      city: 'City__c',
      state: 'State__c',
      zip: 'Zip__c',
      ToC: 'Preferred_Contact_Time__c',
      claimType: 'Claim_Type__c',
      gender: 'Gender__c',
      dominantArm: 'Dominant_Arm__c',
      dateOfBirth: 'Date_Of_Birth__c',
      branch: 'Branch__c',
      deployments: 'Deployments__c',
      retired: 'Retired__c',
      nine11: 'Served_In_Combat_After_9_11__c',
      disabilityRating: 'Disability_Rating__c',
      activeClaim: 'Active_Claim__c',
      activeAppeal: 'Active_Appeal__c',
      vaDisabilityPay: 'VA_Disability_Pay__c',
      dependents: 'Dependents__c',
      ethnicity: 'Ethnicity__c',
      race: 'Race__c',
    },
    values: {
      state: same(STATES.map(({ code }) => code)),
      ToC: same(CONTACT_TIMES),
      claimType: same(CLAIM_TYPES),
      gender: same(GENDERS),
      dominantArm: same(ARMS),
      branch: same(BRANCHES),
      deployments: same(DEPLOYMENT_CHOICES),
      retired: same(YES_NO),
      nine11: same(YES_NO),
      disabilityRating: same(DISABILITY_RATINGS),
      activeClaim: same(YES_NO),
      activeAppeal: same(YES_NO),
      ethnicity: same(ETHNICITIES),
      race: same(RACES),
    },
  },
}
type DefaultMapping = typeof defaultMapping
/** Without `claim` if the provider has no claims. */
export type Mapping = Omit<DefaultMapping, 'claim'> & Partial<Pick<DefaultMapping, 'claim'>>

/**
 * What an org may lack, because it was set up for an earlier release or works in another way: a field
 * (`document.reason`) or a whole object (`claim`). Readers and writers leave out what is missing.
 */
export const OPTIONAL: readonly string[] = [
  'contact.deceased',
  'document.dueDate',
  'document.reason',
  'document.status',
  'document.statusReason',
  'document.note',
  'claim',
  'claim.title',
  'claim.stageSince',
  'claim.stageReason',
  'claim.nextStep',
  'claim.closed',
]

/** Never read: the portal has its own copy. */
const WRITE_ONLY = new Set(['document.note'])

export const readableFields = (kind: string, fields: Record<string, string>) =>
  Object.entries(fields).filter(([ours]) => !WRITE_ONLY.has(`${kind}.${ours}`))

/** An org with State and Country picklists has these fields, and refuses a code in `MailingState`. */
export const STATE_CODE = 'MailingStateCode'
export const COUNTRY_CODE = 'MailingCountryCode'
