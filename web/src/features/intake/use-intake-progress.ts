import { ANSWER_NAMES, INTAKE_STEPS, type AnswerName, type Intake } from '@guidon/contract/intake'
import { PREFILLED } from '@guidon/contract/intake-merge'
import { useSignedInUser } from '../../api/current-user.ts'
import { useEarlyQuery } from '../../api/use-early-query.ts'
import { intakeQuery } from './intake-query.ts'
import { readLocalDraft } from './local-draft.ts'

/** How far the veteran is with the intake, by the server and the draft of this tab. */
export function useIntakeProgress() {
  const { email } = useSignedInUser()
  // `SentIntakeCard` fetches when Home opens.
  const { data } = useEarlyQuery({ ...intakeQuery, refetchOnMount: false })
  const localDraft = readLocalDraft(sessionStorage, email)
  const begun = [data, localDraft].some((draft) => draft && isBegun(draft))
  return {
    /** Also if it was submitted in this tab and is not sent yet; `SendUnsentIntake` shows that. */
    done: (data?.submittedAt ?? null) !== null || localDraft?.submit === true,
    /** Undefined as long as it is not known. */
    begun: begun || data ? begun : undefined,
  }
}

/** Whether the veteran has passed a step or given an answer; a prefilled one does not count. */
function isBegun({ step, edits = {} }: Pick<Intake, 'step' | 'edits'>): boolean {
  const isOwn = (name: AnswerName) => edits[name] !== undefined && edits[name].id !== PREFILLED
  return step !== INTAKE_STEPS[0] || ANSWER_NAMES.some(isOwn)
}
