import { DEPENDENTS_MAX } from '@guidon/contract/limits'
import InputAdornment from '@mui/material/InputAdornment'
import { TextField } from '../../../ui/TextField.tsx'
import { fieldText } from '../entries.ts'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'
import { VA_AND_FINANCIAL } from './va-info.tsx'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <TextField
        label="VA disability pay"
        hint="Amount each month"
        inputMode="decimal"
        autoComplete="off"
        sx={{ '& input': { pl: 0 } }}
        startAdornment={<InputAdornment position="start">$</InputAdornment>}
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
      typeof vaDisabilityPay === 'number' ? dollars.format(vaDisabilityPay) : '',
    ],
    ['Dependents', fieldText('dependents', dependents)],
  ],
}
