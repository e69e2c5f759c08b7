import { BRANCHES, DEPLOYMENTS, YES_NO, type AnswerName } from '@guidon/contract/intake'
import { chosenDeployments, NONE_OF_THESE } from '@guidon/contract/intake-questions'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../../../ui/SelectField.tsx'
import { ChoiceField } from '../ChoiceField.tsx'
import { fieldText, type FormValue } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'

const places = Object.entries(DEPLOYMENTS) as [AnswerName, string][]
const placeNames = places.map(([name]) => name)

/** A place that is not chosen is empty, not No: only None of these says No. */
function Deployments({ form }: { form: StepForm }) {
  const values = useWatch({ control: form.control, name: placeNames })
  const isNone = values.every((value) => value === false)
  const set = (name: AnswerName, value: FormValue) =>
    form.setValue(name, value, { shouldDirty: true })
  const toggle = (place: AnswerName) => {
    for (const [index, name] of placeNames.entries()) {
      const isChosen = values[index] === true
      set(name, isChosen !== (name === place) || '')
    }
  }
  const toggleNone = () => {
    for (const name of placeNames) set(name, isNone ? '' : false)
  }
  const box = (label: string, checked: boolean, onChange: () => void) => (
    <label key={label}>
      <input type="checkbox" checked={checked} onChange={onChange} />
      {label}
    </label>
  )
  return (
    <ChoiceField label="Deployments (select all that apply)" minColumnRem={10}>
      {places.map(([name, place], index) => box(place, values[index] === true, () => toggle(name)))}
      {box(NONE_OF_THESE, isNone, toggleNone)}
    </ChoiceField>
  )
}

function Fields({ form }: { form: StepForm }) {
  return (
    <>
      <SelectField
        label="Branch"
        placeholder="Select a branch"
        options={BRANCHES}
        {...fieldProps(form, 'branch')}
      />
      <Deployments form={form} />
      <RadioField
        form={form}
        name="retired"
        label="Are you retired?"
        hint="From the military"
        options={YES_NO}
      />
      <RadioField
        form={form}
        name="nine11"
        label="Did you serve in combat after 9/11?"
        options={YES_NO}
      />
    </>
  )
}

export const militaryInfo: WizardStep = {
  name: 'militaryInfo',
  title: 'Military Info',
  heading: 'Military Info',
  answers: ['branch', ...placeNames, 'retired', 'nine11'],
  Fields,
  section: 'Military Information',
  preview: (answers) => [
    ['Branch', fieldText('branch', answers.branch)],
    ['Deployments', chosenDeployments(answers).join(', ')],
    ['Retired', fieldText('retired', answers.retired)],
    ['Served in combat after 9/11', fieldText('nine11', answers.nine11)],
  ],
}
