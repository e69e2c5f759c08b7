import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { useEffect, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { formValue, isFit } from './entries.ts'
import type { IntakeKeeper } from './keeper.ts'
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
  keeper: IntakeKeeper
  onDone: () => void
  /** Back and Next. */
  children: ReactNode
}

export function StepForm({ step, pageTitle, keeper, onDone, children }: Props) {
  const form = useStepForm(step, keeper)
  const submit = form.handleSubmit(() => {
    keeper.enter(answersIn(step.answers, form.getValues()))
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

function useStepForm(step: WizardStep, keeper: IntakeKeeper): Form {
  const form = useForm<StepValues>({
    // An invalid answer is not saved, so it is marked on blur, not only on Next.
    mode: 'onTouched',
    resolver: resolverOf(step.answers),
    defaultValues: Object.fromEntries(
      step.answers.map((name) => [name, formValue(name, keeper.answers()[name])]),
    ),
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => keeper.enter(answersIn(step.answers, values)),
      }),
    [form, keeper, step],
  )

  useEffect(() => {
    // The form has completed a date that was left while typing.
    keeper.enter(answersIn(step.answers, form.getValues()))
    const kept = keeper.answers()
    // Shows answers that were left invalid at once, not only on Submit.
    if (step.answers.some((name) => !isFit(name, kept[name] ?? null))) {
      void form.handleSubmit(() => {})()
    }
  }, [form, keeper, step])

  const shownWrong = Object.keys(form.formState.errors).join(' ')
  useEffect(() => {
    keeper.mark(step.answers, shownWrong.split(' '))
  }, [keeper, step, shownWrong])

  return form
}
