import { ARMS, GENDERS } from '@guidon/contract/intake'
import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'
import { longDate } from '../../../ui/dates.ts'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import type { StepForm, WizardStep } from '../wizard-step.ts'

// The calendar is as large as half a first load; no other step needs it.
const DateOfBirthField = lazy(async () => ({
  default: (await import('../DateOfBirthField.tsx')).DateOfBirthField,
}))

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <RadioField form={form} name="gender" label="Gender" options={GENDERS} />
      <RadioField form={form} name="dominantArm" label="Dominant arm" options={ARMS} />
      <Suspense fallback={<Skeleton variant="rounded" height={120} />}>
        <DateOfBirthField form={form} />
      </Suspense>
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
    ['Date of birth', typeof dateOfBirth === 'string' ? longDate(dateOfBirth) : ''],
  ],
}
