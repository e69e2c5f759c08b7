import { linkTo } from '@guidon/tests/links'
import { bootWithListing, lastNames, ODD_NAMES } from '@guidon/tests/listing'
import { describe, expect, it } from 'vitest'

const { testApp, list, pages, add, viewsRecorded } = await bootWithListing()
const { sql } = testApp
await add(ODD_NAMES.map((last) => ({ last, first: 'Odd' })))

const linkLastName = async (name: string, contactId: string) => {
  const { rows } = await sql.query('select id from users where last_name = $1', [name])
  await linkTo(sql, { userId: rows[0].id }, contactId)
}

describe('a page', () => {
  it('follows the page before it, until each account was listed once', async () => {
    const whole = await list({ sortBy: 'lastName', order: 'asc' })
    const parts = await pages({ sortBy: 'lastName', order: 'asc', limit: 4 })
    expect(parts.flatMap(({ users }) => users)).toEqual(whole.users)
    expect(parts.every(({ users }) => users.length <= 4)).toBe(true)
    expect(new Set(parts.map(({ total }) => total))).toEqual(new Set([whole.total]))
  })

  it('can be sorted by the time of creation, newest first, to the microsecond', async () => {
    const whole = await list()
    const parts = await pages({ limit: 3 })
    expect(parts.flatMap(({ users }) => users)).toEqual(whole.users)
  })

  it('can be limited to one role', async () => {
    await add([{ role: 'ADMIN', last: 'Adams' }])
    const { users } = await list({ role: 'ADMIN' })
    expect(users.map(({ lastName }) => lastName)).toEqual(['Adams'])
  })

  it('of a search has names that start with the text, and its next page those that contain it', async () => {
    await add([
      { first: 'Johnson', last: 'Zeta' },
      { last: 'Sonora' },
      { last: 'Person', email: 'sonny@example.org' },
      { last: 'Mason' },
      { last: 'Nobody' },
    ])
    const query = { q: 'SON', sortBy: 'lastName', order: 'asc' }
    expect((await pages(query)).map(lastNames)).toEqual([
      ['Person', 'Sonora'],
      ['Mason', 'Zeta'],
    ])
    const parts = await pages({ ...query, limit: 1 })
    expect(parts.flatMap(lastNames)).toEqual(['Person', 'Sonora', 'Mason', 'Zeta'])
  })

  it('of a search for the start of an email address has no next page', async () => {
    await add([
      { last: 'Searched', email: 'lone.email@example.org' },
      { last: 'Longer', email: 'a.lone.email@example.org' },
    ])
    const whole = await list({ q: 'lone.email@example.org' })
    expect(lastNames(whole)).toEqual(['Searched'])
    expect(whole.next).toBeNull()
  })

  it('of a search among staff has only staff, also those that contain the text', async () => {
    await add([
      { last: 'Quillfeather', role: 'STAFF' },
      { last: 'Quillfeather', role: 'USER' },
      { last: 'Van Quill', role: 'STAFF' },
      { last: 'Van Quill', role: 'ADMIN' },
    ])
    const parts = await pages({ q: 'quill', role: 'STAFF' })
    expect(parts.map(lastNames)).toEqual([['Quillfeather'], ['Van Quill']])
  })

  it('of a search matches the full name, and short text only at the start', async () => {
    await add([{ first: 'Quincy', last: 'Xavier' }])
    expect(lastNames(await list({ q: 'quincy xav' }))).toEqual(['Xavier'])
    expect(lastNames(await list({ q: 'x' }))).toEqual(['Xavier'])
    expect(lastNames(await list({ q: 'vi' }))).toEqual([])
  })

  it('of a search matches any part of an address literally', async () => {
    await add([
      { last: 'Addressed', email: 'q.zimmer77@kites.example' },
      { last: 'Other', email: 'q.zimmer77@other.example' },
    ])
    expect(lastNames(await list({ q: 'ZIMMER77@kites' }))).toEqual(['Addressed'])
    expect(lastNames(await list({ q: '77@kites.example' }))).toEqual(['Addressed'])
    expect(lastNames(await list({ q: 'zimmer77@_ites' }))).toEqual([])
  })

  it('of a search matches a Salesforce ID', async () => {
    await add([{ last: 'Linked' }])
    const id = '0035g00000AbCdEAA3'
    await linkLastName('Linked', id)
    expect(lastNames(await list({ q: id }))).toEqual(['Linked'])
  })

  it.each(['+1 555.123.4567', '(555) 12', '4567', '123 45'])(
    'of a search matches the phone number %s once',
    async (q) => {
      await sql.query(`delete from users where last_name = 'Phoned'`)
      await add([{ last: 'Phoned', phone: '5551234567' }])
      expect(lastNames(await list({ q }))).toEqual(['Phoned'])
      expect(lastNames(await list({ q, role: 'STAFF' }))).toEqual([])
    },
  )

  it('can be limited to inactive accounts, or to accounts without a contact', async () => {
    await add([{ last: 'Gone' }, { last: 'Loose' }, { last: 'Bound' }])
    await sql.query(`update users set is_active = false where last_name in ('Gone', 'Bound')`)
    for (const name of ['Gone', 'Bound']) await linkLastName(name, `003${name}`)
    const inactive = await list({ status: 'inactive', sortBy: 'lastName', order: 'asc' })
    expect(lastNames(inactive)).toEqual(['Bound', 'Gone'])
    expect(lastNames(await list({ status: 'inactive', q: 'gon' }))).toEqual(['Gone'])
    const notLinked = await pages({ status: 'notLinked', limit: 2 })
    const all = await list()
    expect(notLinked.flatMap(lastNames)).toEqual(
      all.users.filter(({ salesforceId }) => salesforceId === null).map((user) => user.lastName),
    )
    expect((await viewsRecorded()).slice(-2)[0]).toMatchObject({ status: 'notLinked' })
  })

  it('of a search has no wildcards', async () => {
    expect((await list({ q: '100%_' })).users).toEqual([])
    expect(lastNames(await list({ q: `o'brien "bo" \\` }))).toEqual([ODD_NAMES[0]])
  })

  it('is recorded in the audit log with its number and rows, without the search text', async () => {
    const before = (await viewsRecorded()).length
    const parts = await pages({ sortBy: 'email', order: 'asc', limit: 5 })
    const logged = (await viewsRecorded()).slice(before)
    expect(parts.length).toBeGreaterThan(3)
    expect(logged).toEqual(
      parts.map(({ users }, index) => ({ rows: users.length, page: index + 1 })),
    )
    const found = await list({ q: 'zimmer77', role: 'USER' })
    expect((await viewsRecorded()).at(-1)).toEqual({
      rows: found.users.length,
      page: 1,
      searchLength: 'zimmer77'.length,
      role: 'USER',
    })
    expect(JSON.stringify(await viewsRecorded())).not.toContain('zimmer77')
  })
})
