import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { Notice } from '../../ui/Notice.tsx'
import { intakeQuery } from './intake-query.ts'
import { readCopy } from './tab-copy.ts'
import { useAutosave, useKeeper, useSaveState } from './use-keeper.ts'

/** Sends the draft that the wizard could not send. */
export function SendUnsentIntake() {
  const { email } = useSignedInUser()
  const [keptHere] = useState(() => readCopy(sessionStorage, email) !== undefined)
  return keptHere && <Sending />
}

function Sending() {
  const keeper = useKeeper()
  const queryClient = useQueryClient()
  const state = useSaveState(keeper)
  useAutosave(keeper)

  const sent = keeper.sent()
  useEffect(() => {
    if (sent) void queryClient.invalidateQueries({ queryKey: intakeQuery.queryKey })
  }, [sent, queryClient])

  return (
    <Notice kind="info">
      {state.kind === 'unsent' && keeper.submitWaits()
        ? 'Your intake is kept in this tab and is sent as soon as we can be reached. Please leave the tab open.'
        : undefined}
    </Notice>
  )
}
