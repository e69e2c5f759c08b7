import {
  EDIT_DIALOG_CLOSES_SECONDS,
  USER_UPDATED,
  type ManagedUser,
} from '@guidon/contract/manage-users'
import { screens } from '@guidon/contract/screens'
import { useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { CallLink } from '../../ui/CallLink.tsx'
import { DialogActions, DialogContent } from '../../ui/dialog-parts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { phoneText } from '../../ui/phone.ts'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useTimeout } from '../../ui/use-timeout.ts'
import { withClass } from '../../ui/with-class.ts'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'
import { DialogForm, focusOnMount } from './DialogForm.ts'
import { DialogFrame } from './DialogFrame.tsx'
import { Disclosure } from './Disclosure.tsx'
import { EmailReachableNotice } from './EmailReachableNotice.tsx'
import { FolderNotice } from './folders/FolderNotice.tsx'
import { FolderPreview } from './folders/FolderPreview.tsx'
import { InactiveNotice } from './InactiveNotice.tsx'
import { ContactPreview } from './links/ContactPreview.tsx'
import { mayDelete } from './permissions.ts'
import { ReactivateUserDialog } from './ReactivateUserDialog.tsx'
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx'
import { SalesforceNotice } from './SalesforceNotice.tsx'
import { useEditUser } from './use-edit-user.ts'
import type { UserParts } from './user-parts.ts'
import { fullName } from './user-texts.ts'
import css from './EditUserDialog.module.css'

/** Further actions on the account. */
const Actions = withClass('div', css['actions'])

interface Props extends Pick<UserParts, 'progressOf' | 'emailsOf'> {
  user: ManagedUser
  open: boolean
  onClose: () => void
  onClosed: () => void
  onMessage: (text: string) => void
}

export function EditUserDialog({
  user,
  open,
  onClose,
  onClosed,
  onMessage,
  progressOf,
  emailsOf,
}: Props) {
  const me = useSignedInUser()
  const [openedDialog, setOpenedDialog] = useState<'reset' | 'delete' | 'reactivate'>()
  const form = useEditUser(user)
  const { register, errors, busy, saved, waits } = form

  function finish(text: string): void {
    onClose()
    onMessage(text)
  }
  useTimeout(EDIT_DIALOG_CLOSES_SECONDS, saved && !waits && open, () => finish(USER_UPDATED))

  return (
    <DialogFrame title="Edit User" open={open} onClose={onClose} onClosed={onClosed} busy={busy}>
      <DialogForm noValidate onSubmit={(event) => void form.submit(event)}>
        <DialogContent>
          <div>
            <Typography className={css['text']}>{fullName(user)}</Typography>
            <CallLink phone={phoneText(user.phone)} />
          </div>
          {!user.isActive && !saved && (
            <InactiveNotice
              role={me.role}
              onReactivate={() => !busy && setOpenedDialog('reactivate')}
            />
          )}
          <EmailReachableNotice user={user} />
          <SalesforceNotice user={user} />
          <FolderNotice user={user} />
          <TextField
            label="Email"
            readOnly
            error={errors.email?.message}
            className={css['textField']}
            {...register('email')}
          />
          <TextField
            label="Salesforce ID"
            autoComplete="off"
            spellCheck={false}
            readOnly={busy || saved}
            error={errors.salesforceId?.message}
            {...register('salesforceId')}
          />
          {!saved && <ContactPreview userId={user.id} changedId={form.changes.salesforceId} />}
          <TextField
            label="Box ID"
            autoComplete="off"
            spellCheck={false}
            readOnly={busy || saved}
            error={errors.boxFolderId?.message}
            {...register('boxFolderId')}
          />
          {!saved && <FolderPreview userId={user.id} changedId={form.changes.boxFolderId} />}
          {user.role === 'USER' && !saved && (
            <Disclosure label="To-do list and claims">{progressOf(user.id)}</Disclosure>
          )}
          {!saved && <Disclosure label="Emails sent">{emailsOf(user.id)}</Disclosure>}
          {user.isActive && !saved && (
            <Actions>
              <Button
                variant="outlined"
                onClick={busy ? undefined : () => setOpenedDialog('reset')}
              >
                Reset Password
              </Button>
              {mayDelete(me, user) && (
                <Button
                  variant="outlined"
                  className={css['button']}
                  onClick={busy ? undefined : () => setOpenedDialog('delete')}
                >
                  Delete User
                </Button>
              )}
            </Actions>
          )}
          <Notice kind="info">{form.emptied && 'An ID that is left empty stays as it was.'}</Notice>
          <Notice kind="error">{form.failure}</Notice>
          <Notice kind="success">
            {waits ? (
              <>
                Saved. The link waits in{' '}
                <TextLink to={screens.linksToConfirm}>Links to confirm</TextLink>.
              </>
            ) : (
              saved && USER_UPDATED
            )}
          </Notice>
        </DialogContent>
        {saved ? (
          <DialogActions>
            <Button
              ref={focusOnMount}
              variant="outlined"
              onClick={waits ? onClose : () => finish(USER_UPDATED)}
            >
              Close
            </Button>
          </DialogActions>
        ) : (
          <DialogActions>
            <Button variant="outlined" aria-disabled={busy} onClick={busy ? undefined : onClose}>
              Cancel
            </Button>
            <BusyButton type="submit" busy={busy} disabled={!form.changed}>
              {busy ? 'Saving…' : 'Save'}
            </BusyButton>
          </DialogActions>
        )}
      </DialogForm>
      {openedDialog === 'reset' && (
        <ResetPasswordDialog
          user={user}
          onClose={() => setOpenedDialog(undefined)}
          onMessage={onMessage}
        />
      )}
      {openedDialog === 'reactivate' && (
        <ReactivateUserDialog
          user={user}
          onClose={() => setOpenedDialog(undefined)}
          onReactivated={finish}
        />
      )}
      {openedDialog === 'delete' && (
        <DeleteUserDialog
          user={user}
          onClose={() => setOpenedDialog(undefined)}
          onDeleted={finish}
        />
      )}
    </DialogFrame>
  )
}
