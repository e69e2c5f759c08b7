import { randomUUID } from 'node:crypto'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { describe, expect, it } from 'vitest'
import type { ClaimRow } from '../port.ts'
import { recordFields } from './fields.sql.ts'
import { clearContacts, markDeleted, purgeDeleted, upsertRows } from './rows.sql.ts'

const testApp = await boot({ worker: false })
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 2)

const stage = (key: string, mayRepeat = false) =>
  ({ key, label: key, sentence: key, actor: 'us', mayRepeat }) as const
const STAGES = [stage('Intake'), stage('Records'), stage('Visits', true), stage('Filed')]

const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}T09:00:00.000Z`

/** A claim, and what the mirror reads of it. */
function newClaim() {
  const id = `a00${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const contactId = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const read = (stageRead: string, date: number, fields: Partial<ClaimRow> = {}) => {
    const row: ClaimRow = {
      id,
      modifiedAt: day(date),
      deleted: false,
      contactId,
      title: 'Knee',
      stage: stageRead,
      stageLabel: stageRead,
      stageSince: null,
      stageReason: null,
      nextStep: null,
      closed: false,
      ...fields,
    }
    return db.transaction().execute((tx) => upsertRows(tx, 'claim', [row], STAGES))
  }
  const steps = async () => {
    const { rows } = await sql.query<{ stage: string; at: Date; back: boolean }>(
      `select stage, entered_at as at, back from claim_steps where claim_id = $1 order by entered_at`,
      [id],
    )
    return rows.map(({ stage: name, at, back }) => `${name} ${at.getDate()}${back ? ' back' : ''}`)
  }
  return { id, contactId, read, steps }
}

describe('the steps of a claim', () => {
  it('begin with the stage that the claim has when it is first read, and its time', async () => {
    const { read, steps } = newClaim()
    await read('Records', 9, { stageSince: day(3) })
    expect(await steps()).toEqual(['Records 3'])
    const other = newClaim()
    await other.read('Records', 9)
    expect(await other.steps()).toEqual(['Records 9'])
  })

  it('grow with each stage, and reading the same version again adds nothing', async () => {
    const { read, steps } = newClaim()
    for (const times of [1, 2, 3]) {
      await read('Intake', 1)
      if (times > 1) await read('Records', 5, { stageSince: day(4) })
      if (times > 2) await read('Filed', 8)
    }
    await read('Records', 5, { stageSince: day(4) })
    expect(await steps()).toEqual(['Intake 1', 'Records 4', 'Filed 8'])
  })

  it('say that the claim went back, unless claims may return to the stage', async () => {
    const { read, steps } = newClaim()
    for (const [at, name] of ['Filed', 'Visits', 'Filed', 'Records', 'Intake'].entries()) {
      await read(name, at + 1)
    }
    expect(await steps()).toEqual([
      'Filed 1',
      'Visits 2',
      'Filed 3',
      'Records 4 back',
      'Intake 5 back',
    ])
  })

  it('of stages that the provider does not list are never back', async () => {
    const { read, steps } = newClaim()
    for (const [at, name] of ['Filed', 'Own', 'Intake', 'Own'].entries()) await read(name, at + 1)
    expect(await steps()).toEqual(['Filed 1', 'Own 2', 'Intake 3', 'Own 4'])
  })

  it('have the time of the change if staff did not change the time with the stage', async () => {
    const { read, steps } = newClaim()
    await read('Intake', 1, { stageSince: day(1) })
    await read('Records', 5, { stageSince: day(1) })
    expect(await steps()).toEqual(['Intake 1', 'Records 5'])
  })

  it('are corrected when staff correct the time, unless another step has it', async () => {
    const { read, steps } = newClaim()
    await read('Intake', 1)
    await read('Records', 5)
    await read('Records', 6, { stageSince: day(3) })
    expect(await steps()).toEqual(['Intake 1', 'Records 3'])
    await read('Intake', 8)
    await read('Intake', 9, { stageSince: day(1) })
    expect(await steps()).toEqual(['Intake 1', 'Records 3', 'Intake 8 back'])
  })

  it('lose the stages that staff undo by restoring the stage and its time', async () => {
    const { read, steps } = newClaim()
    await read('Intake', 1, { stageSince: day(1) })
    await read('Records', 5, { stageSince: day(5) })
    await read('Filed', 6, { stageSince: day(6) })
    await read('Intake', 7, { stageSince: day(1) })
    expect(await steps()).toEqual(['Intake 1'])
    await read('Intake', 8, { stageSince: day(1), title: 'Knees' })
    expect(await steps()).toEqual(['Intake 1'])
    await read('Records', 9, { stageSince: day(9) })
    expect(await steps()).toEqual(['Intake 1', 'Records 9'])
  })

  it('keep one stage of those that a claim had in the same second, in whatever order they are read', async () => {
    const { read, steps } = newClaim()
    await read('Intake', 1)
    for (const name of ['Filed', 'Records', 'Filed', 'Records']) await read(name, 5)
    expect(await steps()).toEqual(['Intake 1', 'Records 5'])
    await read('Intake', 5)
    expect(await steps()).toEqual(['Intake 1'])
  })

  it('stay with the claim when it moves to another contact', async () => {
    const { read, steps } = newClaim()
    await read('Intake', 1)
    await read('Intake', 2, { contactId: newClaim().contactId })
    expect(await steps()).toEqual(['Intake 1'])
  })

  it('are deleted with the claim, and begin again when it is restored', async () => {
    const { id, read, steps } = newClaim()
    await read('Filed', 1)
    await read('Filed', 2, { deleted: true })
    expect(await steps()).toEqual([])
    await read('Intake', 3)
    expect(await steps()).toEqual(['Intake 3'])
    await db.transaction().execute((tx) => markDeleted(tx, 'claim', [id]))
    expect(await steps()).toEqual([])
    await sql.query(`update crm_claim set modified_at = now() - interval '16 days' where id = $1`, [
      id,
    ])
    await purgeDeleted(db, 'claim', 15)
    expect((await sql.query('select from crm_claim where id = $1', [id])).rowCount).toBe(0)
  })

  it('are kept for 15 days after the org lost its claims, although the claim is old', async () => {
    const { id, read, steps } = newClaim()
    await read('Intake', 1)
    await sql.query(`update crm_claim set modified_at = now() - interval '1 year' where id = $1`, [
      id,
    ])
    await sql.query(`insert into crm_sync_cursor (kind) values ('claim') on conflict do nothing`)
    await db.transaction().execute((tx) => recordFields(tx, {}, ['claim']))
    await purgeDeleted(db, 'claim', 15)
    expect(await steps()).toEqual(['Intake 1'])
    await sql.query(`update crm_claim set hidden_at = now() - interval '16 days' where id = $1`, [
      id,
    ])
    await purgeDeleted(db, 'claim', 15)
    expect(await steps()).toEqual([])
  })

  it('are deleted when the veteran is erased, also of a hidden claim, and not written again', async () => {
    const { id, contactId, read, steps } = newClaim()
    await read('Intake', 1)
    await sql.query('update crm_claim set deleted = true where id = $1', [id])
    const cleared = await db.transaction().execute((tx) => clearContacts(tx, [contactId]))
    expect(cleared.claims).toEqual([id])
    await sql.query('insert into erasures (user_id, contact_id) values ($1, $2)', [
      randomUUID(),
      contactId,
    ])
    await read('Records', 2, { stageReason: 'Planted' })
    expect(await steps()).toEqual([])
    const { rows } = await sql.query(
      'select stage, stage_reason, contact_id from crm_claim where id = $1',
      [id],
    )
    expect(rows).toEqual([{ stage: null, stage_reason: null, contact_id: null }])
  })

  it('are right although two workers store the same versions at once', async () => {
    const { read, steps } = newClaim()
    for (const [at, name] of ['Intake', 'Records', 'Visits', 'Filed'].entries()) {
      await Promise.all([read(name, at + 1), read(name, at + 1)])
    }
    expect(await steps()).toEqual(['Intake 1', 'Records 2', 'Visits 3', 'Filed 4'])
  })
})
