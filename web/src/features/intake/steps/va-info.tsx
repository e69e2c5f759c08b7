import { DISABILITY_RATINGS, YES_NO } from '@guidon/contract/intake'
import { SelectField } from '../../../ui/SelectField.tsx'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'

export const VA_AND_FINANCIAL = 'VA & Financial Information'

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <SelectField
        label="Disability rating"
        placeholder="Select a rating"
        options={DISABILITY_RATINGS}
        {...fieldProps(form, 'disabilityRating')}
      />
      <RadioField form={form} name="activeClaim" label="Active claim pending" options={YES_NO} />
      <RadioField form={form} name="activeAppeal" label="Active appeal pending" options={YES_NO} />
    </>
  )
}

export const vaInfo: WizardStep = {
  name: 'vaInfo',
  title: 'VA Info',
  heading: 'VA Info',
  answers: ['disabilityRating', 'activeClaim', 'activeAppeal'],
  Fields,
  section: VA_AND_FINANCIAL,
  preview: ({ disabilityRating, activeClaim, activeAppeal }) => [
    ['Disability rating', fieldText('disabilityRating', disabilityRating)],
    ['Active claim', fieldText('activeClaim', activeClaim)],
    ['Active appeal', fieldText('activeAppeal', activeAppeal)],
  ],
}
