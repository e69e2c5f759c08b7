import { useEffect, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import type { DraftSync } from './draft-sync.ts'
import { formValue, isValid } from './entries.ts'
import {
  answersOfForm,
  stepResolver,
  type StepForm as Form,
  type StepValues,
  type WizardStep,
} from './wizard-step.ts'
import css from './StepForm.module.css'

const Card = withClass(Paper, css['card'])

interface Props {
  step: WizardStep
  pageTitle: string
  draft: DraftSync
  onDone: () => void
  /** The buttons Back and Next. */
  children: ReactNode
}

export function StepForm({ step, pageTitle, draft, onDone, children }: Props) {
  const form = useStepForm(step, draft)
  const submit = form.handleSubmit(() => {
    draft.enter(answersOfForm(step.answers, form.getValues()))
    onDone()
  })
  return (
    <>
      <PageHeading title={pageTitle} failed={Object.keys(form.formState.errors).length > 0}>
        {step.heading}
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        Skip anything you do not know. Saved to your account; continue on any device.
      </Typography>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Card>
          <step.Fields form={form} />
        </Card>
        {children}
      </form>
    </>
  )
}

function useStepForm(step: WizardStep, draft: DraftSync): Form {
  const form = useForm<StepValues>({
    // Invalid answers are not saved, so show them when the field loses the focus, not only on Next.
    mode: 'onTouched',
    resolver: stepResolver(step.answers),
    defaultValues: Object.fromEntries(
      step.answers.map((name) => [name, formValue(name, draft.answers()[name])]),
    ),
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => draft.enter(answersOfForm(step.answers, values)),
      }),
    [form, draft, step],
  )

  useEffect(() => {
    // The form may have completed a date whose field was left while typing.
    draft.enter(answersOfForm(step.answers, form.getValues()))
    const answers = draft.answers()
    // Show invalid answers of an earlier visit at once, not only on Submit.
    if (step.answers.some((name) => !isValid(name, answers[name] ?? null))) {
      void form.handleSubmit(() => {})()
    }
  }, [form, draft, step])

  const shownInvalid = Object.keys(form.formState.errors).join(' ')
  useEffect(() => {
    draft.mark(step.answers, shownInvalid.split(' '))
  }, [draft, step, shownInvalid])

  return form
}
