import { ETHNICITIES, RACES } from '@guidon/contract/intake'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import type { StepForm, WizardStep } from '../wizard-step.ts'

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <RadioField form={form} name="ethnicity" label="Ethnicity" options={ETHNICITIES} wide />
      <RadioField form={form} name="race" label="Race" options={RACES} wide />
    </>
  )
}

export const demographicInfo: WizardStep = {
  name: 'demographicInfo',
  title: 'Demographic Info',
  heading: 'Demographic Info',
  answers: ['ethnicity', 'race'],
  Fields,
  section: 'Demographic Information',
  preview: ({ ethnicity, race }) => [
    ['Ethnicity', fieldText('ethnicity', ethnicity)],
    ['Race', fieldText('race', race)],
  ],
}
