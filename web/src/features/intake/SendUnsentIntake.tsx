import { intakeSubmitted } from '@guidon/contract/intake'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { Notice } from '../../ui/Notice.tsx'
import { withClass } from '../../ui/with-class.ts'
import { intakeQuery } from './intake-query.ts'
import { readLocalDraft } from './local-draft.ts'
import { useAutosave, useDraftSync, useSaveBeforeLogOut, useSaveState } from './use-draft-sync.ts'
import css from './SendUnsentIntake.module.css'

const Above = withClass('div', css['above'])

const WAITING =
  'Your intake is kept in this tab and is sent as soon as we can be reached. Please leave the tab open.'

/** Sends the draft that the wizard could not send. */
export function SendUnsentIntake() {
  const { email } = useSignedInUser()
  const [hasLocalDraft] = useState(() => readLocalDraft(sessionStorage, email) !== undefined)
  return hasLocalDraft && <Sending />
}

function Sending() {
  const draft = useDraftSync()
  const queryClient = useQueryClient()
  const state = useSaveState(draft)
  useAutosave(draft)
  useSaveBeforeLogOut(draft)

  const sent = draft.isSubmitted()
  useEffect(() => {
    const { queryKey } = intakeQuery
    // A read that began before the submit would show the intake as unfinished.
    const readAgain = async () => {
      await queryClient.cancelQueries({ queryKey })
      await queryClient.invalidateQueries({ queryKey })
    }
    if (sent) void readAgain()
  }, [sent, queryClient])

  const isWaiting = state.kind === 'unreachable' && draft.isSubmitPending()
  return (
    <Above>
      <Notice kind="info">
        {isWaiting ? WAITING : draft.wasTooLate() ? intakeSubmitted.message : undefined}
      </Notice>
    </Above>
  )
}
