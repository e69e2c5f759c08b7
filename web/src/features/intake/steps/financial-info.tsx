import { DEPENDENTS_MAX } from '@guidon/contract/limits'
import { TextField } from '../../../ui/TextField.tsx'
import { fieldText } from '../entries.ts'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'
import { VA_AND_FINANCIAL } from './va-info.tsx'
import css from './financial-info.module.css'

const DOLLARS = { style: 'currency', currency: 'USD' } as const

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <TextField
        label="VA disability pay"
        hint="Amount each month"
        inputMode="decimal"
        autoComplete="off"
        className={css['textField']}
        startAdornment={<span className={css['dollar']}>$</span>}
        {...fieldProps(form, 'vaDisabilityPay')}
      />
      <TextField
        label="Dependents"
        hint={`People you support, 0 to ${DEPENDENTS_MAX}`}
        inputMode="numeric"
        autoComplete="off"
        {...fieldProps(form, 'dependents')}
      />
    </>
  )
}

export const financialInfo: WizardStep = {
  name: 'financialInfo',
  title: 'Financial Info',
  heading: 'Financial Info',
  answers: ['vaDisabilityPay', 'dependents'],
  Fields,
  section: VA_AND_FINANCIAL,
  preview: ({ vaDisabilityPay, dependents }) => [
    [
      'VA disability pay',
      typeof vaDisabilityPay === 'number' ? vaDisabilityPay.toLocaleString('en-US', DOLLARS) : '',
    ],
    ['Dependents', fieldText('dependents', dependents)],
  ],
}
