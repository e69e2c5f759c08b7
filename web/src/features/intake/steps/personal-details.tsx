import { ARMS, GENDERS } from '@guidon/contract/intake'
import { dateText } from '../date-parts.ts'
import { DateOfBirthField } from '../DateOfBirthField.tsx'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import type { StepForm, WizardStep } from '../wizard-step.ts'

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <RadioField form={form} name="gender" label="Gender" options={GENDERS} />
      <RadioField
        form={form}
        name="dominantArm"
        label="Dominant arm"
        hint="The arm you write with"
        options={ARMS}
      />
      <DateOfBirthField form={form} />
    </>
  )
}

export const personalDetails: WizardStep = {
  name: 'personalDetails',
  title: 'Personal Details',
  heading: 'Personal Details',
  answers: ['gender', 'dominantArm', 'dateOfBirth'],
  Fields,
  section: 'Personal Information',
  preview: ({ gender, dominantArm, dateOfBirth }) => [
    ['Gender', fieldText('gender', gender)],
    ['Dominant arm', fieldText('dominantArm', dominantArm)],
    ['Date of birth', dateText(dateOfBirth)],
  ],
}
