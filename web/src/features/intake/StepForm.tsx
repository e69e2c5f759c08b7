import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { useEffect, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { PageHeading } from '../../ui/PageHeading.tsx'
import type { DraftSync } from './draft-sync.ts'
import { formValue, isValid } from './entries.ts'
import {
  answersIn,
  resolverOf,
  type StepForm as Form,
  type StepValues,
  type WizardStep,
} from './wizard-step.ts'

const Card = styled(Paper)(({ theme: { breakpoints } }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 28,
  marginTop: 28,
  padding: '24px 16px',
  [breakpoints.up('md')]: { padding: 32 },
}))

interface Props {
  step: WizardStep
  pageTitle: string
  draft: DraftSync
  onDone: () => void
  /** Back and Next. */
  children: ReactNode
}

export function StepForm({ step, pageTitle, draft, onDone, children }: Props) {
  const form = useStepForm(step, draft)
  const submit = form.handleSubmit(() => {
    draft.enter(answersIn(step.answers, form.getValues()))
    onDone()
  })
  return (
    <>
      <PageHeading title={pageTitle} failed={Object.keys(form.formState.errors).length > 0}>
        {step.heading}
      </PageHeading>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Card variant="outlined">
          <step.Fields form={form} />
        </Card>
        {children}
      </form>
    </>
  )
}

function useStepForm(step: WizardStep, draft: DraftSync): Form {
  const form = useForm<StepValues>({
    // An invalid answer is not saved, so it is marked on blur, not only on Next.
    mode: 'onTouched',
    resolver: resolverOf(step.answers),
    defaultValues: Object.fromEntries(
      step.answers.map((name) => [name, formValue(name, draft.answers()[name])]),
    ),
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => draft.enter(answersIn(step.answers, values)),
      }),
    [form, draft, step],
  )

  useEffect(() => {
    // The form has completed a date that was left while typing.
    draft.enter(answersIn(step.answers, form.getValues()))
    const kept = draft.answers()
    // Shows answers that were left invalid at once, not only on Submit.
    if (step.answers.some((name) => !isValid(name, kept[name] ?? null))) {
      void form.handleSubmit(() => {})()
    }
  }, [form, draft, step])

  const shownInvalid = Object.keys(form.formState.errors).join(' ')
  useEffect(() => {
    draft.mark(step.answers, shownInvalid.split(' '))
  }, [draft, step, shownInvalid])

  return form
}
