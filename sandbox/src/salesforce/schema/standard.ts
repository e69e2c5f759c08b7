import type { Field, ObjectSchema } from './schema.ts'

const text = (name: string, label: string, length: number): Field => ({
  name,
  label,
  type: 'string',
  length,
})

const NAME: Field = { ...text('Name', 'Full Name', 121), readOnly: true }

/** The standard objects that the portal uses; the source adds fields to them. */
export const STANDARD_OBJECTS: ObjectSchema[] = [
  {
    name: 'Contact',
    label: 'Contact',
    keyPrefix: '003',
    person: true,
    fields: [
      NAME,
      text('FirstName', 'First Name', 40),
      { ...text('LastName', 'Last Name', 80), required: true },
      { name: 'Email', label: 'Email', type: 'email', length: 80 },
      { name: 'Phone', label: 'Business Phone', type: 'phone', length: 40 },
      { name: 'MobilePhone', label: 'Mobile Phone', type: 'phone', length: 40 },
      { name: 'MailingStreet', label: 'Mailing Street', type: 'textarea', length: 255 },
      text('MailingCity', 'Mailing City', 40),
      text('MailingState', 'Mailing State/Province', 80),
      text('MailingPostalCode', 'Mailing Zip/Postal Code', 20),
      text('MailingCountry', 'Mailing Country', 80),
      { name: 'Birthdate', label: 'Birthdate', type: 'date' },
      {
        name: 'MasterRecordId',
        label: 'Master Record ID',
        type: 'reference',
        references: 'Contact',
        relationship: 'MasterRecord',
        readOnly: true,
      },
    ],
  },
  {
    name: 'User',
    label: 'User',
    keyPrefix: '005',
    person: true,
    fields: [
      NAME,
      text('FirstName', 'First Name', 40),
      { ...text('LastName', 'Last Name', 80), required: true },
      { name: 'Email', label: 'Email', type: 'email', length: 128, required: true },
      text('Username', 'Username', 80),
      text('Title', 'Title', 80),
      { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
      { name: 'IsActive', label: 'Active', type: 'boolean' },
    ],
  },
]

/** The fields of every custom metadata type. */
export const METADATA_TYPE_FIELDS: Field[] = [
  { ...text('DeveloperName', 'Name', 40), required: true },
  { ...text('MasterLabel', 'Label', 40), required: true },
  text('QualifiedApiName', 'Qualified API Name', 70),
]
