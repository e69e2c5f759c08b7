import { CLAIM_TYPES } from '@guidon/contract/intake'
import { RadioField } from '../RadioField.tsx'
import type { StepForm, WizardStep } from '../wizard-step.ts'

const FILED_BEFORE: Readonly<Record<string, string>> = {
  'New Claim Never Filed': 'No',
  'New Claim Previously Filed': 'Yes',
}

function Fields({ form }: { form: StepForm }) {
  return (
    <RadioField
      form={form}
      name="claimType"
      label="Claim type"
      hint="Have you filed with the VA before?"
      options={CLAIM_TYPES}
      wide
    />
  )
}

export const goal: WizardStep = {
  name: 'goal',
  title: 'Goal',
  heading: 'Your Goal With Us',
  answers: ['claimType'],
  Fields,
  section: 'Your Goal With Us',
  preview: ({ claimType }) => [['Filed with the VA before', FILED_BEFORE[String(claimType)] ?? '']],
}
