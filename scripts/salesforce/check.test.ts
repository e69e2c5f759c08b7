import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { check, PROJECT } from './check.ts'

const SOURCE = 'force-app/main/default'
const PICKLIST = `${SOURCE}/objects/Contact/fields/Preferred_Contact_Time__c.field-meta.xml`
const TEXT = `${SOURCE}/objects/Contact/fields/Box_Folder_Id__c.field-meta.xml`
const LOOKUP = `${SOURCE}/objects/Contact/fields/Case_Manager__c.field-meta.xml`
const PERMISSIONS = `${SOURCE}/permissionsets/Guidon_Integration.permissionset-meta.xml`
const CATEGORY = `${SOURCE}/customMetadata/Document_Category.DD_Form_214.md-meta.xml`

let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'guidon-broken-'))
  cpSync(PROJECT, copy, { recursive: true })
})
afterEach(() => rmSync(copy, { recursive: true }))

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

describe('the source of the CRM', () => {
  it('has no problems', async () => {
    const { count, problems } = await check()
    expect(problems).toEqual([])
    expect(count).toBeGreaterThan(15)
  })

  it.each([
    ['malformed XML', TEXT, '</label>', '', 'malformed XML'],
    ['an unknown field type', TEXT, '>Text<', '>Txt<', 'unknown field type Txt'],
    ['a text without a length', TEXT, /<length>.*<\/length>/, '', 'a text field needs a length'],
    ['a picklist without values', PICKLIST, /<value>[^]*<\/value>/, '', 'a picklist needs values'],
    ['a duplicate value', PICKLIST, '>Evening<', '>Morning<', 'a picklist has a duplicate value'],
    [
      'a lookup to a missing object',
      LOOKUP,
      '>User<',
      '>Usr<',
      'it refers to Usr, which does not exist',
    ],
    ['another fullName', TEXT, '>Box_Folder_Id__c<', '>Box_Id__c<', 'fullName is Box_Id__c'],
    [
      'a permission for a missing field',
      PERMISSIONS,
      'Contact.Box_Folder_Id__c',
      'Contact.Box_Folder__c',
      'it names the field Contact.Box_Folder__c, which does not exist',
    ],
    [
      'a permission for a missing object',
      PERMISSIONS,
      '<object>Intake__c<',
      '<object>Intakes__c<',
      'it names the object Intakes__c, which does not exist',
    ],
    [
      'a permission for a required field',
      PERMISSIONS,
      'Appointment__c.Clinic_Name__c',
      'Appointment__c.Appointment_Date__c',
      'Appointment__c.Appointment_Date__c is required, and must not have permissions',
    ],
    [
      'an object permission without a field permission',
      PERMISSIONS,
      'Contact.Box_Folder_Id__c',
      'Contact.MobilePhone',
      'it grants the object but not the field Contact.Box_Folder_Id__c',
    ],
    [
      'a missing metadata type',
      PERMISSIONS,
      'Document_Category__mdt',
      'Category__mdt',
      'it names the type Category__mdt, which does not exist',
    ],
    [
      'a record with a missing field',
      CATEGORY,
      'Sort__c',
      'Order__c',
      'Document_Category__mdt.Order__c',
    ],
  ])('is refused with %s', async (_, file, from, to, problem) => {
    edit(file, from, to)
    const { problems } = await check(copy)
    expect(problems.join('\n')).toContain(problem)
    expect(problems.join('\n')).toContain(file)
  })

  it('is refused when an app, or a text that sfdx-project.json replaces, does not exist', async () => {
    const policy = `${SOURCE}/extlClntAppOauthPolicies/Guidon_Portal_oauth_policy.ecaOauthPlcy-meta.xml`
    edit(policy, '>Guidon_Portal<', '>Guidon<')
    edit(policy, 'guidon-integration@guidon.example', 'someone@guidon.example')
    const { problems } = await check(copy)
    expect(problems).toEqual([
      `sfdx-project.json: the text to replace is not in ${policy}`,
      `${policy}: it belongs to the app Guidon, which does not exist`,
    ])
  })

  it('is refused when a field is in the folder of an unknown object', async () => {
    renameSync(join(copy, SOURCE, 'objects/Intake__c'), join(copy, SOURCE, 'objects/Intak__c'))
    rmSync(join(copy, SOURCE, 'objects/Intak__c/Intake__c.object-meta.xml'))
    const { problems } = await check(copy)
    expect(problems.join('\n')).toContain('unknown object Intak__c')
  })

  it('is refused when the source folder is missing', async () => {
    rmSync(join(copy, 'force-app'), { recursive: true })
    expect((await check(copy)).problems).toContain('force-app is missing')
  })
})
