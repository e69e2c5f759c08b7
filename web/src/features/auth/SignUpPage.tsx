import { stateRule, type LegalNotice } from '@guidon/contract/legal'
import { screens } from '@guidon/contract/screens'
import { signUp as signUpBody } from '@guidon/contract/sign-up'
import { STATE_NAMES } from '@guidon/contract/states'
import { useEffect, useState, type ChangeEvent } from 'react'
import { useWatch } from 'react-hook-form'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { brand } from '../../ui/brand.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { Divider } from '../../ui/Divider.ts'
import { FormStack } from '../../ui/FormStack.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { OtherPlaceHint } from '../../ui/OtherPlaceHint.tsx'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { failureText } from './failure-text.ts'
import { PhoneField } from './PhoneField.tsx'
import { shownConsents } from './shown-consents.ts'
import { readSignUpDraft } from './sign-up-draft.ts'
import { TermsLabel } from './TermsLabel.tsx'
import { useFieldFailures } from './use-field-failures.ts'
import { SIGN_UP_FIELDS, useSignUpForm } from './use-sign-up-form.ts'
import { useSignUp } from './use-sign-up.ts'
import css from './SignUpPage.module.css'

const Names = withClass('div', css['names'])

/** The text of this state's notice that a veteran must accept, if any. */
function noticeToAcceptIn(state: string): string | undefined {
  const notice = stateRule(brand.legal, state)?.notice
  return notice?.mustAccept ? notice.text : undefined
}

function StateNotice({ notice: { text, link } }: { notice: LegalNotice }) {
  return (
    <>
      {text} {link && <OutsideLink href={link.url}>{link.label}</OutsideLink>}
    </>
  )
}

export function SignUpPage() {
  const { signUp, busy, failure } = useSignUp()
  const [draft] = useState(readSignUpDraft)
  const { register, handleSubmit, setError, setFocus, setValue, control, formState } =
    useSignUpForm(draft)
  const { errors, isSubmitting } = formState
  const typed = useWatch({ control })
  const { firstName = '', lastName = '', state = '', email = '', password = '' } = typed
  const rule = stateRule(brand.legal, state)
  const noticeToAccept = noticeToAcceptIn(state)
  useFieldFailures(failure, SIGN_UP_FIELDS, setError)
  useEffect(() => {
    if (draft) setFocus('email')
  }, [draft, setFocus])

  function onState(event: ChangeEvent<HTMLSelectElement>): void {
    // The box was ticked for other texts.
    if (noticeToAcceptIn(event.target.value) !== noticeToAccept) setValue('terms', false)
  }

  const submit = handleSubmit(async (form) =>
    signUp({ ...signUpBody.parse(form), consents: await shownConsents(form.state) }),
  )

  return (
    <AuthLayout>
      <PageHeading
        title="Create Account"
        failed={failure !== null || Object.keys(errors).length > 0}
      >
        Create Account
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        Tell us who you are. We will then email you a six-digit code to confirm your address.
      </Typography>
      {draft && (
        <div className={css['box']}>
          <Notice kind="info">
            Please correct your email, and type your password again. The rest is as you left it.
          </Notice>
        </div>
      )}
      <FormStack noValidate onSubmit={(event) => void submit(event)}>
        <Names>
          <TextField
            label="First name"
            autoComplete="given-name"
            error={errors.firstName?.message}
            {...register('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            error={errors.lastName?.message}
            {...register('lastName')}
          />
        </Names>
        <SelectField
          label="State"
          hint={<OtherPlaceHint />}
          placeholder="Select a state"
          options={STATE_NAMES}
          autoComplete="address-level1"
          error={errors.state?.message}
          {...register('state', { onChange: onState })}
        />
        <Notice kind="info">
          {rule?.noSignUp ??
            (rule?.notice && !noticeToAccept && <StateNotice notice={rule.notice} />)}
        </Notice>
        <PhoneField label="Phone" error={errors.phone?.message} {...register('phone')} />
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <NewPasswordField
          label="Password"
          text={password}
          person={{ firstName, lastName, email }}
          error={errors.password}
          {...register('password')}
        />
        <CheckboxField error={errors.terms?.message} {...register('terms')}>
          <TermsLabel state={state} />
        </CheckboxField>
        <Notice kind="error">{failureText(failure)}</Notice>
        <BusyButton type="submit" busy={busy || isSubmitting} fullWidth>
          Sign Up
        </BusyButton>
      </FormStack>
      <Divider />
      <p>
        Already have an account? <TextLink to={screens.signIn}>Sign in</TextLink>
      </p>
    </AuthLayout>
  )
}
