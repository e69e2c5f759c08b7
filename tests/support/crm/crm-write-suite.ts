import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OutgoingContact } from '../../../api/src/crm/port.ts'
import { countIn, setupForEach } from './crm-setup.ts'
import type { MakeCrmSetup } from './crm-setup.ts'

export const sampleContact = (userId: string = randomUUID()): OutgoingContact => ({
  userId,
  firstName: 'James',
  lastName: 'Whitfield',
  email: 'james@example.com',
  phone: '6195550134',
  state: 'California',
})

/** What every CRM adapter must do with writes. */
export function crmWriteSuite(name: string, makeSetup: MakeCrmSetup): void {
  const setup = setupForEach(makeSetup)

  const at = new Date('2026-11-01T06:30:00.250Z')
  const contactOf = async (id: string) => (await setup.crm.veterans([id])).contacts[0]

  describe(`${name}: a write`, () => {
    it('creates one contact for a user, and keeps fields that are not sent', async () => {
      const contact = sampleContact()
      const id = await setup.crm.upsertContact({ ...contact, street: '1 Main St', zip: '92101' })
      expect(id).toMatch(/^[a-zA-Z0-9]{18}$/)
      await setup.changeContact(id, { boxFolderId: '77' })
      expect(await setup.crm.upsertContact({ ...contact, phone: '6195550199' })).toBe(id)
      expect(await setup.crm.upsertContact({ ...contact, phone: '6195550199', zip: null })).toBe(id)
      expect(await countIn(setup.crm, 'contact')).toBe(1)
      expect(await contactOf(id)).toMatchObject({
        portalUserId: contact.userId,
        firstName: 'James',
        lastName: 'Whitfield',
        phone: '6195550199',
        state: 'California',
        street: '1 Main St',
        zip: null,
        boxFolderId: '77',
      })
    })

    it('cuts texts that are too long, but no emoji in half', async () => {
      const contact = { ...sampleContact(), firstName: '🎖'.repeat(80), lastName: 'é'.repeat(90) }
      const row = await contactOf(await setup.crm.upsertContact(contact))
      expect(row?.firstName).toBe('🎖'.repeat(20))
      expect(row?.lastName).toBe('é'.repeat(80))
    })

    it('leaves out an email that is too long for the CRM', async () => {
      const contact = { ...sampleContact(), email: `${'j'.repeat(69)}@example.com` }
      expect(await contactOf(await setup.crm.upsertContact(contact))).toMatchObject({ email: null })
      const longest = { ...sampleContact(), email: contact.email.slice(1) }
      expect(await contactOf(await setup.crm.upsertContact(longest))).toMatchObject({
        email: longest.email,
      })
    })

    it('creates one contact request, under the veteran', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
      const request = { requestId: randomUUID(), userId, method: 'Call' as const, requestedAt: at }
      const id = await setup.crm.upsertContactRequest(request)
      expect(await setup.crm.upsertContactRequest({ ...request, method: 'Email' })).toBe(id)
      expect(await setup.contactRequests()).toEqual([{ id, contactId, method: 'Email' }])
    })

    it('creates one intake with every answer, and clears answers that were removed', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
      const intakeId = randomUUID()
      const answers = {
        street: '1 Main St',
        city: 'San Diego',
        state: 'CA' as const,
        zip: '92101',
        ToC: 'Morning' as const,
        claimType: 'New Claim Never Filed' as const,
        gender: 'Male' as const,
        dominantArm: 'Right' as const,
        dateOfBirth: '1980-02-29',
        branch: 'Marine Corps' as const,
        afghan: true,
        djibouti: true,
        gulf: true,
        syria: true,
        uzbekistan: true,
        nam: true,
        retired: true,
        nine11: true,
        disabilityRating: '100%' as const,
        activeClaim: 'Yes' as const,
        activeAppeal: 'No' as const,
        vaDisabilityPay: 1234.56,
        dependents: 0,
        ethnicity: 'Other Race' as const,
        race: 'White' as const,
      }
      const id = await setup.crm.upsertIntake({ intakeId, userId, answers, submittedAt: at })
      const submittedAt = '2026-11-01T06:30:00.250+0000'
      const {
        afghan: _1,
        djibouti: _2,
        gulf: _3,
        syria: _4,
        uzbekistan: _5,
        nam: _6,
        ...rest
      } = answers
      expect(await setup.intakes()).toEqual([
        {
          ...rest,
          retired: 'Yes',
          nine11: 'Yes',
          deployments: 'Afghanistan;Djibouti;Gulf War;Syria;Uzbekistan;Vietnam',
          id,
          contactId,
          portalIntakeId: intakeId,
          contact: contactId,
          submittedAt,
        },
      ])
      const changedAnswers = { city: null, afghan: null, nam: false, dependents: 3 }
      expect(
        await setup.crm.upsertIntake({
          intakeId,
          userId,
          answers: changedAnswers,
          submittedAt: at,
        }),
      ).toBe(id)
      const [row, ...more] = await setup.intakes()
      expect(more).toEqual([])
      expect(row).toMatchObject({ city: null, branch: null, deployments: null })
      expect(row).toMatchObject({ retired: null, dependents: 3, vaDisabilityPay: null })
    })

    it('creates one document, with a name that fits', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
      const document = {
        documentId: randomUUID(),
        userId,
        name: `${'🎖'.repeat(60)}.pdf`,
        type: 'DD Form 214',
        boxFileId: '42',
        uploadedAt: at,
      }
      const id = await setup.crm.upsertDocument(document)
      expect(await setup.crm.upsertDocument({ ...document, boxFileId: '43' })).toBe(id)
      expect((await setup.crm.veterans([contactId])).documents).toMatchObject([
        {
          id,
          contactId,
          portalDocumentId: document.documentId,
          name: '🎖'.repeat(40),
          type: 'DD Form 214',
          boxFileId: '43',
          lastUploadedAt: at.toISOString(),
        },
      ])
    })

    it('stores a requested document in the row of the request', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
      const crmId = await setup.requestDocument(contactId, { name: 'Letter', type: 'Other' })
      await setup.refuseDocument(crmId, 'Page 2 is missing')
      const sent = { name: 'letter.pdf', type: 'Other', boxFileId: '42', uploadedAt: at }
      const document = { documentId: randomUUID(), crmId, userId, ...sent }
      expect(await setup.crm.upsertDocument(document)).toBe(crmId)
      expect(await setup.crm.upsertDocument(document)).toBe(crmId)
      expect((await setup.crm.veterans([contactId])).documents).toMatchObject([
        {
          id: crmId,
          portalDocumentId: document.documentId,
          name: 'letter.pdf',
          boxFileId: '42',
          // The earlier file was refused.
          status: 'received',
        },
      ])
    })

    it('stores a document once if its request was deleted', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
      const crmId = await setup.requestDocument(contactId, { name: 'Letter', type: 'Other' })
      await setup.remove(crmId)
      const sent = { name: 'letter.pdf', type: 'Other', boxFileId: '42', uploadedAt: at }
      const document = { documentId: randomUUID(), crmId, userId, ...sent }
      const id = await setup.crm.upsertDocument(document)
      expect(id).not.toBe(crmId)
      expect(await setup.crm.upsertDocument(document)).toBe(id)
      expect(await countIn(setup.crm, 'document')).toBe(1)
    })

    it('is refused for an unknown veteran or an invalid id', async () => {
      const requested = { method: 'Call' as const, requestedAt: at }
      const unknownVeteran = { requestId: randomUUID(), userId: randomUUID(), ...requested }
      await expect(setup.crm.upsertContactRequest(unknownVeteran)).rejects.toMatchObject({
        name: 'CrmRefused',
      })
      const invalid = { ...unknownVeteran, requestId: '../Contact' }
      await expect(setup.crm.upsertContactRequest(invalid)).rejects.toMatchObject({
        name: 'CrmRefused',
      })
      await expect(setup.crm.setBoxFolder('nonsense', '1')).rejects.toMatchObject({
        name: 'CrmRefused',
      })
    })

    it('that is refused leaves no personal data in the error', async () => {
      const contact = { ...sampleContact(), email: 'not-an-email-of-james' }
      const error = await setup.crm.upsertContact(contact).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'CrmRefused', code: expect.any(String) as string })
      const refusal = error as Error
      expect(`${refusal.message} ${JSON.stringify(refusal)} ${String(refusal.cause)}`).not.toMatch(
        /james/i,
      )
    })
  })

  describe(`${name}: a link`, () => {
    it('moves the id of the user to this contact', async () => {
      const { userId } = sampleContact()
      const own = await setup.crm.upsertContact(sampleContact(userId))
      const old = await setup.addContact({ lastName: 'Whitfield' })
      await setup.crm.linkContact(old, userId)
      expect(await contactOf(old)).toMatchObject({ portalUserId: userId })
      expect(await contactOf(own)).toMatchObject({ portalUserId: null })
      await setup.crm.linkContact(own, userId)
      await setup.crm.linkContact(own, userId)
      expect(await contactOf(own)).toMatchObject({ portalUserId: userId })
      expect(await contactOf(old)).toMatchObject({ portalUserId: null })
    })

    it('is created for a new user, and replaces the link of another user', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      const [one, two] = [randomUUID(), randomUUID()]
      await setup.crm.linkContact(id, one)
      await setup.crm.linkContact(id, two)
      expect(await contactOf(id)).toMatchObject({ portalUserId: two })
      expect(await setup.crm.upsertContact(sampleContact(two))).toBe(id)
    })

    it('to a deleted contact is refused, and the previous link stays', async () => {
      const { userId } = sampleContact()
      const own = await setup.crm.upsertContact(sampleContact(userId))
      const gone = await setup.addContact({ lastName: 'Whitfield' })
      await setup.remove(gone)
      await expect(setup.crm.linkContact(gone, userId)).rejects.toMatchObject({
        name: 'CrmRefused',
      })
      expect(await contactOf(own)).toMatchObject({ portalUserId: userId })
    })

    it('is removed only for its own user', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      const [one, two] = [randomUUID(), randomUUID()]
      await setup.crm.linkContact(id, one)
      await setup.crm.unlinkContact(id, two)
      expect(await contactOf(id)).toMatchObject({ portalUserId: one })
      await setup.crm.unlinkContact(id, one)
      await setup.crm.unlinkContact(id, one)
      expect(await contactOf(id)).toMatchObject({ portalUserId: null })
      expect(await setup.crm.upsertContact(sampleContact(one))).not.toBe(id)
    })

    it('to a Box folder is stored', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      await setup.crm.setBoxFolder(id, '12345')
      expect(await contactOf(id)).toMatchObject({ boxFolderId: '12345' })
    })

    it('to a folder that the provider has set is found', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      expect(await setup.crm.findBoxFolder(id)).toBeNull()
      await setup.changeContact(id, { boxFolderId: '77' })
      expect(await setup.crm.findBoxFolder(id)).toBe('77')
    })
  })
}
