import type { SignedInUser } from '@guidon/contract/account'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth } from '@guidon/contract/auth'
import { getCaseVersion } from '@guidon/contract/case-activity'
import { getClaims, type Claim } from '@guidon/contract/claims'
import { getConsents, type AskedConsent, type GivenConsent } from '@guidon/contract/consents'
import { documentExists, getDocuments } from '@guidon/contract/documents'
import { getSlot, reportPages } from '@guidon/contract/hand-off'
import {
  EMAIL_UNREACHABLE,
  getNoticePreferences,
  getNoticePreferencesByToken,
  NOTICE_KINDS,
  NOTICE_PREFERENCES_FAILED,
  noticeLinkVoid,
} from '@guidon/contract/notices'
import { getUnfinishedUploads } from '@guidon/contract/resumable-uploads'
import { screens } from '@guidon/contract/screens'
import { getTodo, NOTHING_TO_DO } from '@guidon/contract/todo'
import { DEMO_ACCOUNTS } from '@guidon/sandbox/stack/demo-accounts'
import type { Page } from '@playwright/test'
import { expectInPortal } from '../support/crm.ts'
import {
  chooseFileFor,
  chooseFiles,
  clickInDialog,
  newPdf,
  openDialog,
  photoOf,
  uploadDialog,
} from '../support/documents-page.ts'
import { failRequests } from '../support/failing-requests.ts'
import { openHome, openSession } from '../support/session.ts'
import { expect } from '../support/test.ts'
import { picture, type Tools } from './picture.ts'

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** All that Home reads about the case. */
const CASE_CALLS = /\/(salesforce|todo|claims|activity)\//

const respond = (page: Page, path: string, json: unknown) =>
  page.route(`**${path}`, (route) => route.fulfill({ json }))

const ASKED: AskedConsent = {
  kind: 'terms',
  version: '2027-01-01',
  title: 'Terms of Service',
  text: 'I accept the Terms of Service.',
  url: 'https://www.guidon.example/terms',
  hash: 'a',
}
const FEEDBACK = {
  ...ASKED,
  kind: 'feedback',
  title: 'Questions about the portal',
  text: 'Guidon may ask me by email what I think of the portal.',
  url: undefined,
}
const GIVEN: GivenConsent = {
  ...ASKED,
  id: '1',
  shown: `Terms of Service, version 2027-01-01\n${ASKED.text}\n${ASKED.url}`,
  acceptedAt: '2027-01-03T15:04:00.000Z',
  withdrawnAt: null,
  replacedAt: null,
  mayWithdraw: false,
}
const CONSENTS = {
  due: [],
  optional: [{ ...FEEDBACK, title: 'Text messages', text: 'Guidon may send me text messages.' }],
  given: [
    GIVEN,
    { ...GIVEN, id: '2', ...FEEDBACK, mayWithdraw: true },
    { ...GIVEN, id: '3', version: '2026-11-01', replacedAt: GIVEN.acceptedAt },
  ],
}

/** Signs in, and stubs the response of `checkAuth`: the user with this change. */
async function signedInWith(
  { page, signedIn }: Pick<Tools, 'page' | 'signedIn'>,
  change: Partial<SignedInUser>,
): Promise<void> {
  const { email } = await signedIn()
  const name = { firstName: 'James', lastName: 'Whitfield' }
  const usual = {
    phone: '6195550134',
    state: 'California',
    consentsDue: false,
    emailReachable: true,
  }
  const user: SignedInUser = { role: 'USER', email, ...name, ...usual, ...change }
  await respond(page, checkAuth.path, { user })
}

async function openUpdatedTerms({ page, signedIn }: Tools): Promise<void> {
  await signedInWith({ page, signedIn }, { state: 'Utah', consentsDue: true })
  const privacy = { title: 'Privacy Policy', text: 'I have read the Privacy Policy.', hash: 'b' }
  const due = [ASKED, { ...ASKED, ...privacy, kind: 'privacy' }]
  await respond(page, getConsents.path, { due, optional: [], given: [] })
  await page.goto(screens.home)
  await expect(page.getByRole('button', { name: 'Accept and continue' })).toBeVisible()
}

const STAGES = ['Intake', 'Case review', 'Gathering records', 'Medical visits', 'Ready to file']
const CLAIM: Claim = {
  id: 'c1',
  title: 'Increase: knee and hearing',
  closed: false,
  stage: {
    label: 'Gathering records',
    sentence: 'We are gathering your records',
    actor: 'us',
    usualTime: '3 to 6 weeks',
  },
  since: '2026-11-04T12:00:00.000Z',
  nextStep: 'When the records are here, we arrange your medical visits.',
  movedBack: {
    reason: 'Your treatment records from 2019 are missing. We asked the clinic for them.',
  },
  steps: STAGES.map((label, index) => ({
    label,
    state: index < 2 ? 'done' : index === 2 ? 'current' : 'ahead',
    enteredAt: index <= 2 ? `2026-11-0${2 + index}T12:00:00.000Z` : null,
  })),
}
const CLAIMS = [
  CLAIM,
  { ...CLAIM, id: 'c2', title: 'New claim: back', closed: true, movedBack: null },
]

async function uploadPapers(page: Page): Promise<void> {
  await openHome(page)
  await openDialog(page)
  await chooseFiles(page, [newPdf('Separation papers 1998.pdf')])
  await uploadDialog(page).getByRole('combobox').selectOption('Other')
  await clickInDialog(page, 'Upload')
  await expect(uploadDialog(page)).toBeHidden({ timeout: 20_000 })
}

picture('Home', 'new veteran', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await expect(page.getByText('No upcoming appointments scheduled')).toBeVisible()
})
picture(
  'Home',
  'filled',
  async ({ page, mailbox }) => {
    // The demo veteran has a case manager, appointments and requests in the CRM.
    await openSession(
      page,
      DEMO_ACCOUNTS.find(({ role }) => role === 'USER')!,
      mailbox,
    )
    await expectInPortal(page, getAppointments.path, 'Cape Fear Clinic')
    await uploadPapers(page)
  },
  [
    { file: 'home.png', width: 1280 },
    { file: 'home-phone.png', width: 390 },
  ],
)
picture('Home', 'nothing to do', async ({ page, signedIn }) => {
  await signedIn()
  await respond(page, getTodo.path, { items: [], checkedAt: '2026-11-16T17:12:00.000Z' })
  await openHome(page)
  await expect(page.getByText(NOTHING_TO_DO)).toBeVisible()
})
picture('Home', 'claim moved back, and one closed', async ({ page, signedIn }) => {
  await signedIn()
  await respond(page, getClaims.path, CLAIMS)
  await openHome(page)
  await expect(page.getByText(/^We moved your claim back/)).toBeVisible()
})
picture('Home', 'twenty items', async ({ page, signedIn }) => {
  await signedIn()
  const items = Array.from({ length: 20 }, (_, n) => ({
    kind: n < 3 ? 'overdueDocument' : 'requestedDocument',
    id: `r${n}`,
    subject: 'Certificate of Release or Discharge from Active Duty, Member Copy 4'.slice(
      0,
      20 + 3 * n,
    ),
    due: n < 3 ? '2026-11-01' : `2099-12-${10 + n}`,
    why: n % 2 ? 'It proves your service dates; we cannot file without it.' : null,
  }))
  await respond(page, getTodo.path, { items, checkedAt: new Date().toISOString() })
  const documents = items.map(({ id, subject, due, why }) => ({
    id,
    name: subject,
    due,
    why,
    type: null,
    boxFileId: null,
    lastUploadedDate: null,
    size: null,
    sha256: null,
  }))
  await respond(page, getDocuments.path, documents)
  await openHome(page)
  await expect(page.getByRole('heading', { name: /^Send us/ })).toHaveCount(20)
})
picture('Home', 'statuses of files, and an upload to continue', async ({ page, signedIn }) => {
  await signedIn()
  const statuses = ['received', 'inRecords', 'reviewed', 'notUsable', null]
  const documents = statuses.map((status, n) => ({
    id: `d${n}`,
    name: `Service treatment records ${n + 1}.pdf`,
    type: 'Medical records',
    boxFileId: `d${n}`,
    lastUploadedDate: '2026-11-03T16:12:00.000Z',
    size: 2_411_724,
    sha256: '3fa9c1d2b04e'.padEnd(64, '0'),
    status,
    statusReason: status === 'notUsable' ? 'Page 2 is cut off at the bottom.' : null,
  }))
  const unfinished = {
    id: 'u1',
    name: 'VA rating decision letter 2019.pdf',
    size: 8_388_608,
    offset: 5_242_880,
    expiresAt: '2099-11-17T14:12:00.000Z',
    documentType: 'Other',
    documentId: null,
    replaces: null,
    note: null,
    chunks: [{ start: 0, sha256: '0' }],
  }
  await respond(page, getDocuments.path, documents)
  await respond(page, getUnfinishedUploads.path, [unfinished])
  await respond(page, getCaseVersion.path, { version: '1', hasUnfinishedUploads: true })
  await openHome(page)
  const other = newPdf('Another letter.pdf')
  await page.getByLabel(/^File to continue/).setInputFiles(other)
  await expect(page.getByText(/is not the file that you started with/)).toBeVisible()
})
picture('Home', 'an upload whose name was taken meanwhile', async ({ page, signedIn }) => {
  await signedIn()
  const unfinished = {
    id: 'u1',
    name: 'VA rating decision letter 2019.pdf',
    size: 8_388_608,
    offset: 8_388_608,
    expiresAt: '2099-11-17T14:12:00.000Z',
    documentType: 'Other',
    documentId: null,
    replaces: null,
    note: null,
    chunks: [],
  }
  const { status, ...refusal } = documentExists
  await respond(page, getUnfinishedUploads.path, [unfinished])
  await respond(page, getCaseVersion.path, { version: '1', hasUnfinishedUploads: true })
  await page.route('**/uploads/me/u1/finish', (route) => route.fulfill({ status, json: refusal }))
  await openHome(page)
  await press(page, /^Finish the upload/)
  await expect(page.getByLabel(/^New name of/)).toBeVisible()
})
picture('Home', 'loading', async ({ page, signedIn }) => {
  await signedIn()
  await page.route(CASE_CALLS, () => {})
  await openHome(page)
})
picture('Home', 'failing', async ({ page, signedIn }) => {
  await signedIn()
  await failRequests(page, CASE_CALLS, 503)
  await openHome(page)
  await expect(page.getByText('Failed to get appointments.')).toBeVisible()
})
picture('Home', 'offline', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await page.context().setOffline(true)
  await expect(page.getByText(/^You are offline/)).toBeVisible()
})
picture('Home', 'intake received', async ({ page, signedIn }) => {
  await signedIn()
  await page.goto(screens.getStarted)
  await page.request.patch('/salesforce/get-started/me', {
    data: { city: 'Reno', submit: true },
    headers: { origin: new URL(page.url()).origin },
  })
  await openHome(page)
  await press(page, 'Print or save what you sent')
  await expect(page.getByRole('dialog')).toBeVisible()
})
picture('Home', 'confirm log out on a phone', async ({ page, signedIn }) => {
  await signedIn()
  await page.setViewportSize({ width: 390, height: 844 })
  await openHome(page)
  await press(page, 'Log out')
  await expect(page.getByRole('alertdialog', { name: 'Log out?' })).toBeVisible()
})
picture('Home', 'idle dialog', async ({ page, signedIn }) => {
  await page.clock.install()
  await signedIn()
  await openHome(page)
  await page.clock.fastForward('28:30')
  await expect(page.getByRole('alertdialog')).toBeVisible()
})

picture('Request Contact', 'open', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await press(page, 'Request Contact')
  await expect(page.getByRole('dialog')).toBeVisible()
})
picture('Request Contact', 'failing', async ({ page, signedIn }) => {
  await signedIn()
  await failRequests(page, '**/request-contact/me')
  await openHome(page)
  await press(page, 'Request Contact')
  await page.getByRole('radio', { name: 'Phone' }).check()
  await press(page, 'Send Request')
  await expect(page.getByText('Failed to request contact.')).toBeVisible()
})

picture('Upload', 'empty', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await openDialog(page)
})
picture('Upload', 'files without a category', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await openDialog(page)
  await chooseFiles(page, [newPdf('Separation papers 1998.pdf'), newPdf('Hearing test.pdf')])
  await clickInDialog(page, 'Upload')
  await expect(page.getByText('Please select a category for each file.')).toBeVisible()
})
picture('Upload', 'failed', async ({ page, signedIn }) => {
  await signedIn()
  await failRequests(page, '**/box/uploadfile/me')
  await openHome(page)
  await openDialog(page)
  await chooseFiles(page, [newPdf('Separation papers 1998.pdf')])
  await uploadDialog(page).getByRole('combobox').selectOption('Other')
  await clickInDialog(page, 'Upload')
  await expect(
    uploadDialog(page)
      .getByText(/^Failed to upload/)
      .first(),
  ).toBeVisible()
})
picture('Upload', 'joining photos', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await openDialog(page)
  await uploadDialog(page)
    .getByRole('button', { name: /photos/i })
    .click()
  await expect(uploadDialog(page).getByRole('heading').first()).toBeVisible()
})
picture('Upload', 'code for a phone', async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await openDialog(page)
  await press(page, /phone’s camera/)
  await uploadDialog(page).getByRole('combobox', { name: 'Category' }).selectOption('Other')
  await press(page, 'Show the code')
  await expect(uploadDialog(page).getByRole('img', { name: /^Code/ })).toBeVisible()
})
picture('Upload', 'confirm replacing', async ({ page, signedIn }) => {
  await signedIn()
  await uploadPapers(page)
  await chooseFileFor(page, /^Replace/, newPdf('Separation papers, both sides.pdf'))
  await expect(page.getByRole('dialog')).toBeVisible()
})

const SLOT = { name: 'Discharge papers', state: 'connected', secondsLeft: 900 }
picture('Phone', 'connected', async ({ page }) => {
  await respond(page, getSlot.path, SLOT)
  await page.goto(screens.phone)
  await expect(page.getByRole('button', { name: 'Take photos' })).toBeVisible()
})
picture('Phone', 'taking photos', async ({ page }) => {
  await respond(page, reportPages.path, SLOT)
  await respond(page, getSlot.path, SLOT)
  await page.goto(screens.phone)
  await press(page, 'Take photos')
  await page.getByLabel('Photos of the pages').setInputFiles([await photoOf(page, 'One')])
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
})
picture('Phone', 'refused', async ({ page }) => {
  await page.goto(screens.phone)
  await expect(page.getByText('This code no longer works.')).toBeVisible()
})

picture('Settings', 'filled', async ({ page, signedIn }) => {
  await signedIn()
  await page.goto(screens.settings)
  await expect(page.getByText('California')).toBeVisible()
})
picture('Settings', 'with agreements', async ({ page, signedIn }) => {
  await signedIn()
  await respond(page, getConsents.path, CONSENTS)
  await page.goto(screens.settings)
  await expect(page.getByRole('button', { name: /^Withdraw/ })).toBeVisible()
})
const PREFERENCES = {
  switches: NOTICE_KINDS.map((kind) => ({ kind, on: kind !== 'claimStep' })),
}
picture('Settings', 'emails came back, and a switch is not saved', async ({ page, signedIn }) => {
  await signedInWith({ page, signedIn }, { emailReachable: false })
  await page.route(`**${getNoticePreferences.path}`, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: PREFERENCES })
      : route.fulfill({ status: 500, json: { code: 'unexpected' } }),
  )
  await page.goto(screens.settings)
  await expect(page.getByText(EMAIL_UNREACHABLE)).toBeVisible()
  await page.getByRole('switch', { name: 'Appointments' }).click()
  await expect(page.getByText(NOTICE_PREFERENCES_FAILED)).toBeVisible()
})
picture('Home', 'emails came back', async ({ page, signedIn }) => {
  await signedInWith({ page, signedIn }, { emailReachable: false })
  await openHome(page)
  await expect(page.getByText(EMAIL_UNREACHABLE)).toBeVisible()
})
picture('Email notices', 'one is turned off', async ({ page }) => {
  await respond(page, `${getNoticePreferencesByToken.path}?*`, PREFERENCES)
  await page.goto(`${screens.unsubscribe}?token=abc`)
  await expect(page.getByText(/^Turned off/)).toBeVisible()
})
picture('Email notices', 'link does not work', async ({ page }) => {
  await page.goto(screens.unsubscribe)
  await expect(page.getByText(noticeLinkVoid.message)).toBeVisible()
})
picture('Updated terms', 'empty', openUpdatedTerms)
picture('Updated terms', 'error', async (tools) => {
  await openUpdatedTerms(tools)
  await press(tools.page, 'Accept and continue')
  await expect(tools.page.getByText('Please tick this box to go on').first()).toBeVisible()
})
picture('Settings', 'loading', async ({ page, signedIn }) => {
  await signedIn()
  await page.route(CASE_CALLS, () => {})
  await page.goto(screens.settings)
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})
picture('Settings', 'failing', async ({ page, signedIn }) => {
  await signedIn()
  await failRequests(page, CASE_CALLS, 503)
  await page.goto(screens.settings)
  await expect(page.getByText('Failed to get user info.')).toBeVisible()
})
picture('Settings', 'password errors', async ({ page, signedIn }) => {
  const { password } = await signedIn()
  await page.goto(screens.settings)
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByLabel('New password', { exact: true }).fill('weak')
  await press(page, 'Change Password')
  await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
})
