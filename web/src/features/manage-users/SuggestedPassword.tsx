import { CopyButton } from '../../ui/CopyButton.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './SuggestedPassword.module.css'

const Frame = withClass('div', css['frame'])

/** The password that the browser generated, while the form still contains it. */
export function SuggestedPassword({ password }: { password: string }) {
  return (
    <Frame>
      <code>{password}</code>
      <CopyButton text={password} contentName="suggested password" />
      <p>Write it down or copy it now. It is not shown again and never emailed.</p>
    </Frame>
  )
}
