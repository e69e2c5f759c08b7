import { BRANCHES, DEPLOYMENTS, YES_NO, type AnswerName } from '@guidon/contract/intake'
import { isNeverDeployed } from '@guidon/contract/intake-questions'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../../../ui/SelectField.tsx'
import { ChoiceField } from '../ChoiceField.tsx'
import { fieldText } from '../entries.ts'
import { RadioField } from '../RadioField.tsx'
import { fieldProps, type StepForm, type WizardStep } from '../wizard-step.ts'

const deployments = Object.entries(DEPLOYMENTS) as [AnswerName, string][]

/** Answers No for each place, so that the question does not look skipped. */
function NoneOfThese({ form }: { form: StepForm }) {
  const names = deployments.map(([name]) => name)
  const chosen = useWatch({ control: form.control, name: names }).every((value) => value === false)
  return (
    <label>
      <input
        type="checkbox"
        checked={chosen}
        onChange={() => {
          for (const name of names) form.setValue(name, chosen ? '' : false, { shouldDirty: true })
        }}
      />
      None of these
    </label>
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
      <ChoiceField label="Deployments (select all that apply)" minColumnRem={10}>
        {deployments.map(([name, place]) => (
          <label key={name}>
            <input type="checkbox" {...form.register(name)} />
            {place}
          </label>
        ))}
        <NoneOfThese form={form} />
      </ChoiceField>
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
  answers: ['branch', ...deployments.map(([name]) => name), 'retired', 'nine11'],
  Fields,
  section: 'Military Information',
  preview: (answers) => [
    ['Branch', fieldText('branch', answers.branch)],
    [
      'Deployments',
      isNeverDeployed(answers)
        ? 'None of these'
        : deployments
            .filter(([name]) => answers[name] === true)
            .map(([, place]) => place)
            .join(', '),
    ],
    ['Retired', fieldText('retired', answers.retired)],
    ['Served in combat after 9/11', fieldText('nine11', answers.nine11)],
  ],
}
