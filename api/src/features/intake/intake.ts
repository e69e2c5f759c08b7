import { INTAKE_STEPS, intakeSubmitted } from '@guidon/contract/intake'
import type { Edits, Intake, IntakeAnswers, IntakeSave, SavedIntake } from '@guidon/contract/intake'
import { INTAKE_VERSION } from '@guidon/contract/intake-versions'
import type { Address } from '@guidon/contract/profile'
import { STATES } from '@guidon/contract/states'
import { currentLink } from '../../crm/links/links.sql.ts'
import type { Outbox } from '../../crm/outbox/outbox.ts'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { setAddress } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import type { Log } from '../../platform/log.ts'
import { findIntakeOf, lockIntakeOf, insertIntake, updateIntake } from './intakes.sql.ts'
import type { IntakeRow } from './intakes.sql.ts'
import { mergeSave, timesOfEdits } from './merge-save.ts'
import type { StoredEdits } from './merge-save.ts'
import { openAnswers, sealAnswers } from './sealed-answers.ts'
import type { AnswersWithEdits } from './sealed-answers.ts'
import { sendIntakeReceived } from './send-received.ts'

const EMPTY: AnswersWithEdits = { answers: {}, edits: {} }

export interface IntakeParts {
  db: Database
  sealer: Sealer
  jobs: Jobs
  outbox: Pick<Outbox, 'add'>
  log: Pick<Log, 'warn'>
}

export interface Intakes {
  read(userId: string): Promise<Intake>
  /** Saves any of the answers. Refuses changes after the intake was submitted. */
  save(userId: string, save: IntakeSave): Promise<SavedIntake>
}

export function intakes({ db, sealer, jobs, outbox, log }: IntakeParts): Intakes {
  const submit = async (tx: Tx, { id, userId }: IntakeRow, answers: IntakeAnswers) => {
    const address = addressOf(answers)
    if (Object.keys(address).length > 0) {
      await setAddress(tx, userId, address)
      await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
    }
    await outbox.add(tx, { userId, kind: 'intake', entityId: id })
    await recordEvent(tx, { event: 'intake_submitted', actorId: userId, subjectId: userId })
    await jobs.send(sendIntakeReceived, { userId }, tx)
  }

  const saveIn = async (tx: Tx, userId: string, save: IntakeSave): Promise<IntakeRow> => {
    const row = await lockIntakeOf(tx, userId)
    const stored = row ? openAnswers(sealer, row) : EMPTY
    const { values: changed, edits } = mergeSave(save, stored.edits, Date.now())
    const { step = row?.step ?? INTAKE_STEPS[0], ...values } = changed
    const answers = { ...stored.answers, ...values }
    if (row?.submittedAt) {
      if (isSameAnswers(answers, stored.answers)) return row
      throw refuse(intakeSubmitted)
    }
    if (row && Object.keys(changed).length === 0 && !save.submit) return row

    const { keyId, bytes: sealed, version } = sealAnswers(sealer, userId, { answers, edits })
    const content = { keyId, sealed, version, step, submitted: save.submit ?? false }
    const written = row
      ? await updateIntake(tx, row.id, content)
      : await insertIntake(tx, userId, content)
    // A concurrent first save has inserted the row; merge with it.
    if (!written) return saveIn(tx, userId, save)
    if (save.submit) await submit(tx, written, answers)
    return written
  }

  return {
    read: (userId) => readIntake(db, sealer, userId),

    save: async (userId, save) => {
      const row = await db.transaction().execute((tx) => saveIn(tx, userId, save))
      const { failures: saveFailures = {} } = save
      if (Object.keys(saveFailures).length > 0) {
        log.warn({ saveFailures }, 'intake: saves failed in the browser')
      }
      return {
        savedAt: row.savedAt.toISOString(),
        submittedAt: row.submittedAt?.toISOString() ?? null,
      }
    },
  }
}

export async function readIntake(db: Queryable, sealer: Sealer, userId: string): Promise<Intake> {
  const row = await findIntakeOf(db, userId)
  const link = await currentLink(db, userId)
  const { answers, edits } = row ? openAnswers(sealer, row) : EMPTY
  return {
    data: answers,
    step: row?.step ?? INTAKE_STEPS[0],
    edits: withoutTimes(edits),
    editedAt: timesOfEdits(edits, Date.now()),
    savedAt: row?.savedAt.toISOString() ?? null,
    submittedAt: row?.submittedAt?.toISOString() ?? null,
    linkedToExistingAccount: link !== undefined && link.origin !== 'portal',
    version: INTAKE_VERSION,
  }
}

/** Only what was said. An account has the name of a state, an answer its code. */
function addressOf({ street, city, state, zip }: IntakeAnswers): Address {
  const name = STATES.find(({ code }) => code === state)?.name
  return {
    ...(street && { street }),
    ...(city && { city }),
    ...(name && { state: name }),
    ...(zip && { zip }),
  }
}

const withoutTimes = (edits: StoredEdits): Edits =>
  Object.fromEntries(Object.entries(edits).map(([name, { id, over }]) => [name, { id, over }]))

function isSameAnswers(one: object, other: object): boolean {
  const flat = (answers: object) =>
    JSON.stringify(Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return flat(one) === flat(other)
}
