import type { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSalesforce } from './salesforce.ts'
import type { Salesforce } from './salesforce.ts'
import { connect } from './testing.ts'

let salesforce: Salesforce
let connection: Connection

beforeEach(async () => {
  salesforce = await startSalesforce()
  connection = await connect(salesforce.url)
})
afterEach(() => salesforce.close())

interface Found {
  Id: string
  LastName: string
  SystemModstamp: string
}

const names = async (rest: string) =>
  (await connection.query<Found>(`SELECT LastName FROM Contact ${rest}`)).records.map(
    ({ LastName }) => LastName,
  )

const contacts = [
  {
    FirstName: 'James',
    LastName: 'Whitfield',
    Email: 'James.Whitfield@example.com',
    MailingState: 'Texas',
  },
  { FirstName: 'Maria', LastName: 'Alvarez', MailingState: 'Ohio', Birthdate: '1980-02-29' },
  { FirstName: 'Sean', LastName: "O'Neil", MailingState: 'Texas', Birthdate: '1991-07-01' },
  { LastName: '100% \\ sure_', MailingState: null },
]

describe('a query', () => {
  beforeEach(() => void salesforce.load('Contact', contacts))

  it.each([
    ["WHERE LastName = 'whitfield'", ['Whitfield']],
    ["WHERE Email = 'james.whitfield@EXAMPLE.com'", ['Whitfield']],
    ["WHERE LastName = 'O\\'Neil'", ["O'Neil"]],
    ["WHERE LastName LIKE '100\\% \\\\ sure\\_'", ['100% \\ sure_']],
    ["WHERE LastName LIKE '%l%'", ['Whitfield', 'Alvarez', "O'Neil"]],
    ["WHERE LastName LIKE '_lvarez'", ['Alvarez']],
    ["WHERE MailingState != 'Texas'", ['Alvarez', '100% \\ sure_']],
    ['WHERE MailingState = null', ['100% \\ sure_']],
    ["WHERE MailingState IN ('Ohio', 'Texas') AND FirstName != 'Sean'", ['Whitfield', 'Alvarez']],
    ["WHERE MailingState NOT IN ('Ohio', 'Texas')", ['100% \\ sure_']],
    [
      "WHERE (MailingState = 'Ohio' OR FirstName = 'Sean') AND NOT Birthdate < 1985-01-01",
      ["O'Neil"],
    ],
    ["WHERE NOT (MailingState = 'Texas' OR MailingState = null)", ['Alvarez']],
    ['WHERE Birthdate >= 1980-02-29 ORDER BY Birthdate DESC', ["O'Neil", 'Alvarez']],
    ['WHERE Birthdate > 1980-02-29', ["O'Neil"]],
    ['ORDER BY MailingState DESC NULLS LAST, LastName LIMIT 3', ["O'Neil", 'Whitfield', 'Alvarez']],
    ['ORDER BY MailingState, LastName DESC LIMIT 2 OFFSET 1', ['Alvarez', 'Whitfield']],
  ])('supports %s', async (rest, expected) => {
    expect(await names(rest)).toEqual(expected)
  })

  it('counts rows', async () => {
    const total = await connection.query("SELECT COUNT() FROM Contact WHERE MailingState = 'Texas'")
    expect(total).toMatchObject({ totalSize: 2, done: true, records: [] })
    const some = await connection.query<{ n: number }>('SELECT COUNT(Birthdate) n FROM Contact')
    expect(some.records[0]).toMatchObject({ n: 2 })
  })

  it('returns a parent inside the record, or null', async () => {
    const dana = await connection.query<Found>("SELECT Id FROM User WHERE LastName = 'Reyes'")
    const { Id } = dana.records[0]!
    salesforce.load('Contact', [{ LastName: 'Cared for', Case_Manager__c: Id }])
    const { records } = await connection.query<{ Case_Manager__r: unknown }>(
      `SELECT case_manager__r.name, Case_Manager__r.Email FROM Contact
       WHERE LastName IN ('Cared for', 'Alvarez') ORDER BY Case_Manager__r.Name`,
    )
    expect(records.map((record) => record.Case_Manager__r)).toEqual([
      null,
      {
        attributes: { type: 'User', url: `/services/data/v64.0/sobjects/User/${Id}` },
        Name: 'Dana Reyes',
        Email: 'dana.reyes@guidon.example',
      },
    ])
  })

  it.each([
    ['SELECT Shoe_Size__c FROM Contact', 'INVALID_FIELD'],
    ["SELECT Id FROM Contact WHERE Shoe_Size__c = '9'", 'INVALID_FIELD'],
    ['SELECT Id FROM Contact ORDER BY Shoe_Size__c', 'INVALID_FIELD'],
    ['SELECT Manager__r.Name FROM Contact', 'INVALID_FIELD'],
    ['SELECT IsDeleted FROM User', 'INVALID_FIELD'],
    ['SELECT Id FROM Contact WHERE Birthdate = 1980-02-29T00:00:00Z', 'INVALID_FIELD'],
    ["SELECT Id FROM Contact WHERE SystemModstamp > '2026-01-01'", 'INVALID_FIELD'],
    ['SELECT Id FROM Opportunity', 'INVALID_TYPE'],
    ['SELECT FROM Contact', 'MALFORMED_QUERY'],
    ["SELECT Id FROM Contact WHERE Id = 'x' AND Name = 'y' OR Name = 'z'", 'MALFORMED_QUERY'],
    ["SELECT Id FROM Contact WHERE Id = 'nonsense'", 'INVALID_QUERY_FILTER_OPERATOR'],
  ])('refuses %s as %s', async (soql, errorCode) => {
    await expect(connection.query(soql)).rejects.toMatchObject({ errorCode })
  })

  it('returns the categories of the deployable source', async () => {
    const { records } = await connection.query<{ MasterLabel: string }>(
      'SELECT MasterLabel, Sort__c FROM Document_Category__mdt ORDER BY Sort__c',
    )
    expect(records[0]).toMatchObject({ MasterLabel: 'DD Form 214', Sort__c: 10 })
    expect(records).toHaveLength(6)
  })
})

describe('pages', () => {
  it('contain 2,000 rows each, in order and without gaps', async () => {
    const time = Date.parse('2026-03-01T00:00:00Z')
    // Ten rows share each timestamp, and the newest are loaded first.
    const rows = Array.from({ length: 4_500 }, (_, at) => ({
      LastName: `Number ${at}`,
      SystemModstamp: time - Math.floor(at / 10) * 1000,
    }))
    salesforce.load('Contact', rows)
    const seen: Found[] = []
    let page = await connection.query<Found>(
      'SELECT Id, SystemModstamp FROM Contact WHERE SystemModstamp >= 2026-01-01T00:00:00Z ORDER BY SystemModstamp, Id',
    )
    expect(page).toMatchObject({ totalSize: 4_500, done: false })
    seen.push(...page.records)
    while (!page.done) {
      expect(page.records).toHaveLength(2_000)
      page = await connection.queryMore<Found>(page.nextRecordsUrl!)
      seen.push(...page.records)
    }
    expect(seen).toHaveLength(4_500)
    const keys = seen.map(({ SystemModstamp, Id }) => `${SystemModstamp} ${Id}`)
    expect(keys).toEqual([...new Set(keys)].toSorted())
  })

  it('are refused for an unknown cursor', async () => {
    await expect(connection.queryMore('0r8xx0000000009AAA-2000')).rejects.toMatchObject({
      errorCode: 'INVALID_QUERY_LOCATOR',
    })
  })
})

describe('deleted rows', () => {
  it('are returned by queryAll only, together with their detail rows', async () => {
    const sobject = connection.sobject('Contact')
    const { id } = await sobject.create({ LastName: 'Gone' })
    await connection.sobject('Contact_Request__c').create({
      Veteran__c: id!,
      Portal_Request_Id__c: 'r-1',
      Method__c: 'Call',
    })
    await sobject.delete(id!)
    expect(await names('')).toEqual([])
    const all = (soql: string) => connection.query(soql, { scanAll: true })
    expect(await all('SELECT LastName, IsDeleted FROM Contact')).toMatchObject({
      records: [{ LastName: 'Gone', IsDeleted: true }],
    })
    expect(await all('SELECT IsDeleted FROM Contact_Request__c')).toMatchObject({
      records: [{ IsDeleted: true }],
    })
    await expect(sobject.retrieve(id!)).rejects.toMatchObject({ errorCode: 'ENTITY_IS_DELETED' })
  })
})
