import type { AnswerName, Intake, IntakeStep } from '@guidon/contract/intake'
import { validAnswers } from '@guidon/contract/intake-versions'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { screens } from '@guidon/contract/screens'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { withClass } from '../../ui/with-class.ts'
import { intakeQuery, LATE_ANSWERS } from './intake-query.ts'
import { PreviewPage } from './PreviewPage.tsx'
import { SaveStatus } from './SaveStatus.tsx'
import { StepForm } from './StepForm.tsx'
import {
  allSteps,
  firstInvalidStep,
  nextUnansweredStep,
  previewStep,
  questionStep,
  stepAtDistance,
} from './steps.ts'
import { useAutosave, useDraftSync, useSaveBeforeLogOut, useSaveState } from './use-draft-sync.ts'
import { useWizardLocation } from './use-wizard-location.ts'
import { WizardLayout } from './WizardLayout.tsx'
import css from './Wizard.module.css'

const Buttons = withClass('div', css['buttons'])

const Later = withClass('p', css['later'])

interface Props {
  /** Undefined if the server was unreachable and the wizard continues with the local draft. */
  intake: Intake | undefined
  known: Partial<Record<AnswerName, string>>
  account: ReactNode
  notice: ReactNode
}

export function Wizard({ intake, known, account, notice }: Props) {
  const draft = useDraftSync((created) => {
    if (intake) created.open(intake)
    created.prefill(known)
  })
  useAutosave(draft)
  useSaveBeforeLogOut(draft)
  const { step, fromPreview, go } = useWizardLocation(draft)
  const leave = useLeaving(draft)
  const submit = useMutation({
    // Without a response in time, the dashboard sends the kept draft again.
    mutationFn: () => Promise.race([draft.submit(), timeout()]),
    onSettled: () => {
      if (!draft.isSubmitted()) leave()
    },
  })

  const questions = questionStep(step)
  const number = allSteps.findIndex(({ name }) => name === step) + 1
  const pageTitle = `Step ${number} of ${allSteps.length}: ${allSteps[number - 1]!.title}`
  const change = (to: IntakeStep) => go({ step: to, fromPreview: 'changing' })
  /** A step that was opened from the Preview leads back to it, also after Back or the menu. */
  const goTo = (to: IntakeStep) => {
    if (to === previewStep.name) return go({ step: to })
    if (step === previewStep.name) return change(to)
    return go({ step: to, ...(fromPreview && { fromPreview }) })
  }
  const back = number > 1 && (
    <Button variant="outlined" onClick={() => goTo(stepAtDistance(step, -1))}>
      Back
    </Button>
  )

  function goOn(): void {
    if (fromPreview === 'changing') goTo(previewStep.name)
    else if (fromPreview === 'adding') goTo(nextUnansweredStep(draft.answers(), step))
    else goTo(stepAtDistance(step, 1))
  }

  function send(): void {
    const invalidStep = firstInvalidStep(draft.answers())
    if (invalidStep) change(invalidStep.name)
    else submit.mutate()
  }

  return (
    <WizardLayout account={account} step={step} answers={draft.answers()} onGo={goTo}>
      {notice}
      {questions ? (
        <StepForm key={step} step={questions} pageTitle={pageTitle} draft={draft} onDone={goOn}>
          <Buttons>
            {back}
            <Button type="submit">
              {fromPreview === 'changing' ? 'Return to Preview' : 'Next'}
            </Button>
          </Buttons>
        </StepForm>
      ) : (
        <PreviewPage
          pageTitle={pageTitle}
          answers={draft.answers()}
          onEditStep={change}
          onAddAnswers={() =>
            go({ step: nextUnansweredStep(draft.answers()), fromPreview: 'adding' })
          }
          onSubmit={send}
        >
          <Buttons>
            {back}
            <BusyButton type="submit" busy={submit.isPending || submit.isSuccess}>
              Submit
            </BusyButton>
          </Buttons>
        </PreviewPage>
      )}
      <SaveStatus draft={draft} />
      <Later>
        <TextLink to={screens.home}>Finish later</TextLink>
      </Later>
    </WizardLayout>
  )
}

function timeout(): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), REQUEST_TIMEOUT_SECONDS * 1000))
}

/**
 * Goes to the dashboard once the intake is submitted, in this tab or another. Returns a function that goes there
 * at once.
 */
function useLeaving(draft: ReturnType<typeof useDraftSync>): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  useSaveState(draft)
  const sent = draft.isSubmitted()
  const leave = () => void navigate(screens.home, { replace: true })

  useEffect(() => {
    if (sent) void updateCachedIntake(queryClient, draft).then(leave)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it has been sent
  }, [sent])
  return leave
}

/** Updates the cached intake. Removing it would cancel the request of a screen that observes it. */
async function updateCachedIntake(
  client: QueryClient,
  draft: ReturnType<typeof useDraftSync>,
): Promise<void> {
  const { queryKey } = intakeQuery
  const submittedAt = draft.submittedAt()
  if (submittedAt === undefined) {
    client.setQueryData(LATE_ANSWERS, true)
    // Submitted elsewhere: only the server knows the time and the answers.
    await client.refetchQueries({ queryKey, exact: true })
    return
  }
  const data = validAnswers(draft.answers())
  client.setQueryData(queryKey, (before) => before && { ...before, data, submittedAt })
}
