import { CONTACT_TIMES } from '@guidon/contract/intake'
import { STATE_NAMES } from '@guidon/contract/states'
import { OtherPlaceHint } from '../../../ui/OtherPlaceHint.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'
import css from './initial-info.module.css'

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <TextField label="Street" autoComplete="street-address" {...fieldProps(form, 'street')} />
      <TextField label="City" autoComplete="address-level2" {...fieldProps(form, 'city')} />
      <SelectField
        label="State"
        hint={<OtherPlaceHint />}
        placeholder="Select a state"
        options={STATE_NAMES}
        autoComplete="address-level1"
        {...fieldProps(form, 'state')}
      />
      <TextField
        label="ZIP code"
        inputMode="numeric"
        autoComplete="postal-code"
        className={css['zip']}
        {...fieldProps(form, 'zip')}
      />
      <RadioField form={form} name="ToC" label="Preferred contact time" options={CONTACT_TIMES} />
    </>
  )
}

export const initialInfo: WizardStep = {
  name: 'initialInfo',
  title: 'Initial Info',
  heading: 'More About You',
  answers: ['street', 'city', 'state', 'zip', 'ToC'],
  Fields,
  section: 'More About You',
  preview: (answers) => [
    ['Street', fieldText('street', answers.street)],
    ['City', fieldText('city', answers.city)],
    ['State', fieldText('state', answers.state)],
    ['ZIP code', fieldText('zip', answers.zip)],
    ['Preferred contact time', fieldText('ToC', answers.ToC)],
  ],
}
