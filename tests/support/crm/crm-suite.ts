import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { KINDS } from '../../../api/src/crm/port.ts'
import type { Crm, Cursor, Kind, RowOf } from '../../../api/src/crm/port.ts'
import { crmOutageSuite } from './crm-outage-suite.ts'
import { countIn, setupForEach } from './crm-setup.ts'
import type { MakeCrmSetup } from './crm-setup.ts'
import { crmWriteSuite } from './crm-write-suite.ts'

const START: Cursor = { at: '1970-01-01T00:00:00.000Z', id: '' }

async function allChanges<K extends Kind>(crm: Crm, kind: K, from = START): Promise<RowOf[K][]> {
  const rows: RowOf[K][] = []
  for (let after = from; ;) {
    const page = await crm.changes(kind, after)
    rows.push(...page.rows)
    const last = page.rows.at(-1)
    if (!page.full || last === undefined) return rows
    after = { at: last.modifiedAt, id: last.id }
  }
}

/** What every CRM adapter must do. */
export function crmSuite(name: string, makeSetup: MakeCrmSetup): void {
  crmReadSuite(name, makeSetup)
  crmWriteSuite(name, makeSetup)
  crmOutageSuite(name, makeSetup)
}

function crmReadSuite(name: string, makeSetup: MakeCrmSetup): void {
  const setup = setupForEach(makeSetup)

  describe(`${name}: changes`, () => {
    it('come page by page, in order, each once, even with equal timestamps', async () => {
      // More than a page of rows has the second timestamp, so that a page ends in the middle of them.
      const earlier = '2026-03-01T00:00:00.000Z'
      const later = '2026-03-01T00:00:01.000Z'
      const ids = setup.loadContacts(7_000, [later, earlier, later])
      const rows = await allChanges(setup.crm, 'contact')
      expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const keys = rows.map(({ modifiedAt, id }) => `${modifiedAt} ${id}`)
      expect(keys).toEqual(keys.toSorted())
    })

    it('are later than the cursor, or at the same time with a higher id', async () => {
      const moment = '2026-03-01T00:00:00.000Z'
      const [first, second, third] = setup.loadContacts(3, [moment]).toSorted()
      const after = async (cursor: Cursor) =>
        (await setup.crm.changes('contact', cursor)).rows.map(({ id }) => id)
      expect(await after({ at: moment, id: first! })).toEqual([second, third])
      expect(await after({ at: moment, id: '' })).toEqual([first, second, third])
      expect(await after({ at: '2026-03-01T00:00:00.001Z', id: '' })).toEqual([])
      const { full, asOf } = await setup.crm.changes('contact', { at: moment, id: third! })
      expect(full).toBe(false)
      expect(Math.abs(Date.parse(asOf) - Date.now())).toBeLessThan(60_000)
    })

    it('include changed rows and deleted rows, with their children', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      const appointment = await setup.addAppointment(id, { date: '2026-12-01', time: '10:30' })
      const [first] = await allChanges(setup.crm, 'contact')
      await setup.changeContact(id, { phone: '619-555-0134' })
      const from = { at: first!.modifiedAt, id }
      expect(await allChanges(setup.crm, 'contact', from)).toMatchObject([
        { id, phone: '619-555-0134' },
      ])
      await setup.remove(id)
      expect(await allChanges(setup.crm, 'contact', from)).toMatchObject([{ id, deleted: true }])
      expect(await allChanges(setup.crm, 'appointment')).toMatchObject([
        { id: appointment, deleted: true },
      ])
      expect(await countIn(setup.crm, 'contact')).toBe(0)
    })

    it('include a contact that was merged into another one', async () => {
      const survivor = await setup.addContact({ lastName: 'Whitfield' })
      const loser = await setup.addContact({ lastName: 'Whitfeld' })
      await setup.mergeContacts(survivor, loser)
      expect(await allChanges(setup.crm, 'contact')).toMatchObject([
        { id: loser, deleted: true, masterId: survivor },
        { id: survivor, deleted: false, masterId: null },
      ])
    })

    it('are mapped for contacts, staff, appointments, documents, claims and categories', async () => {
      const id = await setup.addContact({
        firstName: 'James',
        lastName: 'Whitfield',
        email: 'James.Whitfield@Example.com',
      })
      const [manager] = await setup.staff()
      await setup.assignCaseManager(id, manager!)
      await setup.addAppointment(id, {
        date: '2026-11-01',
        time: '01:30',
        clinicName: 'Harbor Clinic',
        clinicPhone: '6195550100',
      })
      const cancelled = await setup.addAppointment(id, { date: '2026-11-02', time: '23:45' })
      await setup.cancelAppointment(cancelled)
      const request = { dueDate: '2026-12-03', reason: 'It shows your service' }
      const papers = { name: 'Discharge papers', type: 'DD Form 214', ...request }
      await setup.refuseDocument(await setup.requestDocument(id, papers), 'Page 2 is missing')
      const since = '2026-11-01T09:30:00.000Z'
      const texts = { reason: 'Records are missing', nextStep: 'We request them' }
      await setup.addClaim(id, { title: 'Knee', stage: 'Case Review', since, ...texts })
      const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
      const row = { id: expect.any(String) as string, modifiedAt: moment, deleted: false }
      expect(await allChanges(setup.crm, 'contact')).toEqual([
        {
          ...row,
          id,
          portalUserId: null,
          firstName: 'James',
          lastName: 'Whitfield',
          email: 'james.whitfield@example.com',
          phone: null,
          street: null,
          city: null,
          state: null,
          zip: null,
          caseManagerId: manager,
          boxFolderId: null,
          deceased: false,
          masterId: null,
        },
      ])
      const clinic = { clinicName: 'Harbor Clinic', clinicPhone: '6195550100' }
      expect(await allChanges(setup.crm, 'appointment')).toEqual([
        { ...row, contactId: id, date: '2026-11-01', time: '01:30', ...clinic, scheduled: true },
        {
          ...row,
          contactId: id,
          date: '2026-11-02',
          time: '23:45',
          clinicName: null,
          clinicPhone: null,
          scheduled: false,
        },
      ])
      expect(await allChanges(setup.crm, 'document')).toEqual([
        {
          ...row,
          contactId: id,
          portalDocumentId: null,
          name: 'Discharge papers',
          type: 'DD Form 214',
          boxFileId: null,
          lastUploadedAt: null,
          ...request,
          status: 'notUsable',
          statusReason: 'Page 2 is missing',
        },
      ])
      expect(await allChanges(setup.crm, 'claim')).toEqual([
        {
          ...row,
          contactId: id,
          title: 'Knee',
          stage: 'Case Review',
          stageLabel: 'Case Review',
          stageSince: since,
          stageReason: texts.reason,
          nextStep: texts.nextStep,
          closed: false,
        },
      ])
      const users = await allChanges(setup.crm, 'user')
      expect(users.find((user) => user.id === manager)).toEqual({
        ...row,
        id: manager,
        name: 'Dana Reyes',
        email: 'dana.reyes@guidon.example',
        phone: '8005550142',
      })
      const categories = await allChanges(setup.crm, 'documentCategory')
      expect(categories).toHaveLength(6)
      expect(categories).toContainEqual({ ...row, name: 'DD Form 214', sort: 10 })
    })
  })

  describe(`${name}: a tick`, () => {
    it('reads a page of up to five kinds in one call of the quota', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      const appointment = await setup.addAppointment(id, { date: '2026-12-01', time: '10:30' })
      const document = await setup.requestDocument(id, { name: 'Letter', type: 'Other' })
      const claim = await setup.addClaim(id, { title: 'Knee', stage: 'Intake' })
      const before = await setup.spent()
      const pages = await setup.crm.tick(KINDS.slice(0, 5).map((kind) => ({ kind, after: START })))
      expect((await setup.spent()).calls - before.calls).toBe(1)
      const values = pages.map((page) => page.status === 'fulfilled' && page.value)
      expect(values).toMatchObject([
        { rows: [{ id }], full: false },
        { rows: [{ name: 'Dana Reyes' }, { name: 'Marcus Webb' }] },
        { rows: [{ id: appointment }] },
        { rows: [{ id: document }] },
        { rows: [{ id: claim }] },
      ])
    })

    it('says that a kind has more changes than fit into its page', async () => {
      setup.loadContacts(2_001, ['2026-03-01T00:00:00.000Z'])
      const [page] = await setup.crm.tick([{ kind: 'contact', after: START }])
      expect(page).toMatchObject({ value: { full: true, rows: { length: 2_000 } } })
    })
  })

  describe(`${name}: the versions of a kind`, () => {
    it('come page by page in the order of their ids, without deleted rows', async () => {
      const ids = setup.loadContacts(2_100, ['2026-03-01T00:00:00.000Z'])
      await setup.remove(ids[7]!)
      const first = await setup.crm.versions('contact', '')
      const second = await setup.crm.versions('contact', first.rows.at(-1)!.id)
      expect([first.full, second.full]).toEqual([true, false])
      const versions = [...first.rows, ...second.rows]
      expect(versions.map(({ id }) => id)).toEqual(ids.toSpliced(7, 1).toSorted())
      expect(versions[0]).toEqual({ id: ids[0], modifiedAt: '2026-03-01T00:00:00.000Z' })
      expect(await countIn(setup.crm, 'appointment')).toBe(0)
      expect(await countIn(setup.crm, 'documentCategory')).toBe(6)
    })
  })

  describe(`${name}: the whole rows of a kind`, () => {
    it('come like their versions, 2,000 in one call of the quota', async () => {
      const ids = setup.loadContacts(2_100, ['2026-03-01T00:00:00.000Z'])
      await setup.remove(ids[7]!)
      await countIn(setup.crm, 'user')
      const before = await setup.spent()
      const first = await setup.crm.wholeRows('contact', '')
      expect((await setup.spent()).calls - before.calls).toBe(1)
      const second = await setup.crm.wholeRows('contact', first.rows.at(-1)!.id)
      expect([first.full, second.full]).toEqual([true, false])
      const rows = [...first.rows, ...second.rows]
      expect(rows.map(({ id }) => id)).toEqual(ids.toSpliced(7, 1).toSorted())
      expect(rows[0]).toMatchObject({ id: ids[0], lastName: 'Number 0' })
      expect((await setup.crm.wholeRows('documentCategory', '')).rows).toHaveLength(6)
    })
  })

  describe(`${name}: rows by their ids`, () => {
    it('are read in one call of the quota, also deleted ones', async () => {
      const ids = setup.loadContacts(1_000, ['2026-03-01T00:00:00.000Z'])
      await setup.remove(ids[3]!)
      const before = await setup.spent()
      const rows = await setup.crm.rows('contact', ids)
      expect((await setup.spent()).calls - before.calls).toBe(1)
      expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      expect(rows.filter(({ deleted }) => deleted)).toMatchObject([{ id: ids[3] }])
    })
  })

  describe(`${name}: veterans`, () => {
    it('are read with all rows, also deleted ones, in one call of the quota', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      const second = await setup.addContact({ lastName: 'Reyes' })
      const other = await setup.addContact({ lastName: 'Alvarez' })
      const [manager] = await setup.staff()
      await setup.assignCaseManager(id, manager!)
      await setup.assignCaseManager(second, manager!)
      const kept = await setup.addAppointment(id, { date: '2026-12-01', time: '10:30' })
      const gone = await setup.addAppointment(id, { date: '2026-12-02', time: '10:30' })
      const ofSecond = await setup.addAppointment(second, { date: '2026-12-02', time: '11:30' })
      await setup.addAppointment(other, { date: '2026-12-03', time: '10:30' })
      await setup.remove(gone)
      const requested = await setup.requestDocument(id, { name: 'Letter', type: 'Other' })
      const claim = await setup.addClaim(id, { title: 'Knee', stage: 'Intake' })
      await setup.addClaim(other, { title: 'Back', stage: 'Intake' })
      const before = await setup.spent()
      const veterans = await setup.crm.veterans([id, second, id])
      expect((await setup.spent()).calls - before.calls).toBe(1)
      expect(veterans.contacts.map((one) => one.id).toSorted()).toEqual([id, second].toSorted())
      expect(veterans.contacts).toMatchObject([
        { caseManagerId: manager },
        { caseManagerId: manager },
      ])
      expect(veterans.caseManagers).toMatchObject([{ id: manager, name: 'Dana Reyes' }])
      expect(new Map(veterans.appointments.map((row) => [row.id, row.deleted]))).toEqual(
        new Map([
          [kept, false],
          [gone, true],
          [ofSecond, false],
        ]),
      )
      expect(veterans.documents).toMatchObject([{ id: requested, contactId: id, deleted: false }])
      expect(veterans.claims).toMatchObject([{ id: claim, contactId: id, stage: 'Intake' }])
    })

    it('are read 200 at once in one call of the quota', async () => {
      const ids = setup.loadContacts(200, ['2026-03-01T00:00:00.000Z'])
      await countIn(setup.crm, 'user')
      const before = await setup.spent()
      expect((await setup.crm.veterans(ids)).contacts).toHaveLength(200)
      expect((await setup.spent()).calls - before.calls).toBe(1)
    })

    it('have no case manager and no appointments until staff add them', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      expect(await setup.crm.veterans([id])).toMatchObject({
        contacts: [{ id }],
        caseManagers: [],
        appointments: [],
      })
    })

    it('are read as deleted after their deletion, and not at all if they never existed', async () => {
      const id = await setup.addContact({ lastName: 'Whitfield' })
      await setup.remove(id)
      const nobody = id.replace(/^(...)..(.*)...$/, '$1zz$2')
      const { contacts } = await setup.crm.veterans([id, nobody])
      expect(contacts).toMatchObject([{ id, deleted: true }])
    })

    it('are read without those whose id no contact can have', async () => {
      const invalid = ['', 'x', "003' OR Name != '", randomUUID()]
      const id = await setup.addContact({ lastName: 'Whitfield' })
      expect((await setup.crm.veterans([...invalid, id])).contacts).toMatchObject([{ id }])
      await countIn(setup.crm, 'user')
      const before = await setup.spent()
      expect((await setup.crm.veterans(invalid)).contacts).toEqual([])
      expect(await setup.spent()).toEqual(before)
    })
  })

  describe(`${name}: veterans by email`, () => {
    it('are read with all rows, also deleted ones, 100 in one call of the quota', async () => {
      const one = await setup.addContact({ lastName: 'Whitfield', email: 'James@Example.com' })
      const two = await setup.addContact({ lastName: 'Alvarez', email: "sean.o'neil@example.com" })
      const gone = await setup.addContact({ lastName: 'Gone', email: 'gone@example.com' })
      const other = await setup.addContact({ lastName: 'Other', email: 'other@example.com' })
      await setup.addContact({ lastName: 'No email' })
      const [manager] = await setup.staff()
      await setup.assignCaseManager(one, manager!)
      const appointment = await setup.addAppointment(one, { date: '2026-12-01', time: '10:30' })
      await setup.addAppointment(other, { date: '2026-12-03', time: '10:30' })
      const requested = await setup.requestDocument(two, { name: 'Letter', type: 'Other' })
      const claim = await setup.addClaim(two, { title: 'Knee', stage: 'Intake' })
      await setup.remove(gone)
      const others = Array.from({ length: 97 }, (_, at) => `nobody${at}@example.com`)
      const emails = ['james@example.com', "sean.o'neil@example.com", ...others, 'gone@example.com']
      const before = await setup.spent()
      const found = await setup.crm.veteransByEmail(emails)
      expect((await setup.spent()).calls - before.calls).toBe(1)
      expect(new Map(found.contacts.map(({ id, deleted }) => [id, deleted]))).toEqual(
        new Map([
          [one, false],
          [two, false],
          [gone, true],
        ]),
      )
      expect(found.caseManagers).toMatchObject([{ id: manager }])
      expect(found.appointments).toMatchObject([{ id: appointment, contactId: one }])
      expect(found.documents).toMatchObject([{ id: requested, contactId: two }])
      expect(found.claims).toMatchObject([{ id: claim, contactId: two }])
    })

    it('are not searched for empty emails, nor for those too long for the CRM', async () => {
      await setup.addContact({ lastName: 'No email' })
      await countIn(setup.crm, 'user')
      const before = await setup.spent()
      const tooLong = `${'x'.repeat(70)}@example.com`
      expect((await setup.crm.veteransByEmail(['', ' ', tooLong])).contacts).toEqual([])
      expect(await setup.spent()).toEqual(before)
    })

    it.each(["' OR Name != '", '\\', "\\'", 'ünï+%_@exämple.com', "x') OR (Name != '"])(
      'are searched for %s literally',
      async (email) => {
        await setup.addContact({ lastName: 'Whitfield', email: 'james@example.com' })
        expect((await setup.crm.veteransByEmail([email])).contacts).toEqual([])
      },
    )
  })

  describe.each(['findContacts', 'searchContacts'] as const)(
    `${name}: contacts by email (%s)`,
    (method) => {
      const search = (email: string, userId: string) => setup.crm[method](email, userId)

      it('are all found, in upper or lower case', async () => {
        const one = await setup.addContact({ lastName: 'Whitfield', email: 'james@example.com' })
        const two = await setup.addContact({ lastName: 'Whitfield', email: 'James@Example.com' })
        await setup.addContact({ lastName: 'Alvarez', email: 'maria@example.com' })
        await setup.addContact({ lastName: 'No email' })
        const ids = async (email: string) => (await search(email, randomUUID())).map(({ id }) => id)
        expect(await ids('JAMES@example.com')).toEqual([one, two])
        expect(await ids('nobody@example.com')).toEqual([])
        expect(await ids('')).toEqual([])
        expect(await ids(' ')).toEqual([])
        await setup.remove(one)
        expect(await ids('james@example.com')).toEqual([two])
      })

      it.each(["o'neil@example.com", "' OR Name != '", '\\', "\\'", 'ünï+%_@exämple.com', "x'--"])(
        'are searched for %s literally',
        async (email) => {
          await setup.addContact({ lastName: 'Whitfield', email: 'james@example.com' })
          expect(await search(email, randomUUID())).toEqual([])
        },
      )

      it('are found together with the contact that carries the id of the user', async () => {
        const userId = randomUUID()
        const other = await setup.addContact({ lastName: 'Whitfield', email: 'james@example.com' })
        const own = await setup.addContact({ lastName: 'Whitfield', email: 'jim@example.com' })
        await setup.crm.linkContact(own, userId)
        const found = await search('james@example.com', userId)
        expect(found).toMatchObject([
          { id: other, portalUserId: null },
          { id: own, portalUserId: userId },
        ])
        expect(await search(' ', userId)).toMatchObject([{ id: own }])
      })

      it('are found by an email with a quote in it', async () => {
        const id = await setup.addContact({ lastName: "O'Neil", email: "sean.o'neil@example.com" })
        expect(await search("Sean.O'Neil@example.com", randomUUID())).toMatchObject([{ id }])
      })
    },
  )
}
