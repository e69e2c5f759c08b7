import { notMeVoid, reportNotMe } from '@guidon/contract/links'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import LinkOff from '@mui/icons-material/LinkOff'
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined'
import { useMutation } from '@tanstack/react-query'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { failureText } from '../../ui/failure-text.ts'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useLinkToken } from '../../ui/use-link-token.ts'
import css from './NotMePage.module.css'

/** In the fragment, which browsers send to no server. */
const tokenIn = ({ hash }: { hash: string }) => hash.slice(1) || null

/** For the link in an email, without a session. Opening it changes nothing: mail scanners open every link. */
export function NotMePage() {
  const token = useLinkToken(reportNotMe.body.shape.token, tokenIn)
  return token === undefined ? <VoidPage /> : <ReportPage token={token} />
}

function ReportPage({ token }: { token: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation<undefined, CallFailure>({
    mutationFn: () => call(reportNotMe, { body: { token } }),
  })
  if (error?.code === notMeVoid.code) return <VoidPage />
  if (isSuccess) {
    return (
      <MessagePage icon={<CheckCircle aria-hidden />}>
        <Heading />
        {/* Takes the focus of the button, which is gone. */}
        <output ref={focus} tabIndex={-1} className={css['done']}>
          Done. The records are hidden, and the account is signed out everywhere. Please call us at{' '}
          <ProviderPhoneLink />, so that we can look into it together.
        </output>
      </MessagePage>
    )
  }
  return (
    <MessagePage icon={<VisibilityOff aria-hidden />}>
      <Heading failed={error !== null} />
      <Typography color="textSecondary">
        If your account shows records that are not yours, or somebody else may be using it, press
        the button. It signs the account out everywhere, and hides the records until our staff have
        looked into it.
      </Typography>
      <Notice kind="error">{failureText(error)}</Notice>
      <BusyButton busy={isPending} onClick={() => mutate()} className={css['button']}>
        Hide the records and sign out
      </BusyButton>
    </MessagePage>
  )
}

function VoidPage() {
  return (
    <MessagePage icon={<LinkOff aria-hidden />}>
      <Heading failed />
      <p role="alert">{notMeVoid.message}</p>
      <p>
        Our number is <ProviderPhoneLink />.
      </p>
    </MessagePage>
  )
}

const Heading = ({ failed = false }: { failed?: boolean }) => (
  <PageHeading title="This was not me" failed={failed}>
    This was not me
  </PageHeading>
)

const focus = (text: HTMLOutputElement | null): void => text?.focus()
