import { parseQuery } from '@jetstreamapp/soql-parser-js'
import { beforeAll, expect, it } from 'vitest'
import { Org } from '../data/org.ts'
import { loadSchema } from '../schema/source.ts'
import { treeOf } from './condition.ts'
import { planFor } from './plan.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const org = new Org(loadSchema(), 'milliseconds')
let ids: string[]

beforeAll(() => {
  const contacts = Array.from({ length: 10_000 }, (_, at) => ({
    LastName: `Veteran ${at}`,
    Email: `veteran.${at}@example.com`,
    Portal_User_Id__c: `user-${at}`,
    SystemModstamp: START + at,
  }))
  ids = org.load('Contact', contacts)
  org.load('Appointment__c', [{ Veteran__c: ids[7] }, { Veteran__c: ids[8] }])
})

function rowsRead(where: string, object = 'Contact', wantsTimeOrder = false): number {
  const { where: clause } = parseQuery(`SELECT Id FROM ${object} WHERE ${where}`)
  return [...planFor(org, org.table(object)!, treeOf(clause!), wantsTimeOrder).rows].length
}

const since = (milliseconds: number) => new Date(START + milliseconds).toISOString()

it('reads only rows since a time', () => {
  expect(rowsRead(`SystemModstamp >= ${since(9_990)}`, 'Contact', true)).toBe(10)
  expect(rowsRead(`SystemModstamp >= ${since(9_990)} AND LastName != 'x'`)).toBe(10)
  const page = `SystemModstamp > ${since(9_995)} OR (SystemModstamp = ${since(9_995)} AND Id > '${ids[9_995]}')`
  expect(rowsRead(`(${page})`)).toBe(5)
})

it('reads only the rows with the given value of an indexed field', () => {
  expect(rowsRead("Portal_User_Id__c = 'USER-17'")).toBe(1)
  expect(rowsRead("Email IN ('veteran.1@example.com', 'veteran.2@example.com', 'x@y.z')")).toBe(2)
  expect(rowsRead(`Id = '${ids[3]!.slice(0, 15)}' AND LastName = 'x'`)).toBe(1)
  expect(rowsRead(`Veteran__c = '${ids[7]}'`, 'Appointment__c')).toBe(1)
  expect(rowsRead("Veteran__r.Portal_User_Id__c = 'user-8'", 'Appointment__c')).toBe(1)
})

it('reads all rows when there is no index', () => {
  expect(rowsRead("LastName = 'Veteran 3'")).toBe(10_000)
  expect(rowsRead("Portal_User_Id__c = 'user-1' OR LastName = 'x'")).toBe(10_000)
  expect(rowsRead(`NOT SystemModstamp >= ${since(9_990)}`)).toBe(10_000)
  expect(rowsRead(`SystemModstamp < ${since(9_990)}`, 'Contact', true)).toBe(10_000)
})
