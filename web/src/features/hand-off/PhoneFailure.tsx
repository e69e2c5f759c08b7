import { Button } from '../../ui/Button.tsx'
import { canTryAgain } from './phone-failures.ts'

interface Props {
  failure: Error
  onRetry: () => void
  onBack: () => void
}

export function PhoneFailure({ failure, onRetry, onBack }: Props) {
  return (
    <>
      {canTryAgain(failure) && <Button onClick={onRetry}>Try again</Button>}
      <Button variant="outlined" onClick={onBack}>
        Back
      </Button>
    </>
  )
}
