import { PASSWORD_CHANGED } from '@guidon/contract/password'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { useChangePassword } from './use-change-password.ts'
import css from './ChangePassword.module.css'

export function ChangePassword(form: ReturnType<typeof useChangePassword>) {
  const { email, person, register, submit, errors, newPassword, filled, busy } = form
  return (
    <PageSection
      title="Change Password"
      note="You will stay signed in here, and be signed out on every other device."
      headingRef={form.heading}
    >
      <Paper className={css['paper']}>
        <Notice kind="success">{form.changed && PASSWORD_CHANGED}</Notice>
        <FormStack noValidate onSubmit={(event) => void submit(event)} className={css['formStack']}>
          {/* Tells a password manager which account the password belongs to. */}
          <input hidden readOnly autoComplete="username" value={email} />
          <PasswordField
            label="Current password"
            nameInButton="current password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...register('currentPassword')}
          />
          <NewPasswordField
            label="New password"
            nameInButton="new password"
            text={newPassword}
            person={person}
            error={errors.newPassword}
            {...register('newPassword')}
          />
          <Notice kind="error">{form.failure}</Notice>
          <BusyButton type="submit" busy={busy} disabled={!filled} className={css['busyButton']}>
            Change Password
          </BusyButton>
        </FormStack>
      </Paper>
    </PageSection>
  )
}
