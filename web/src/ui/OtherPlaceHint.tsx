import { ProviderPhoneLink } from './ProviderPhoneLink.tsx'

/** The choice of a state has the 50 states only. */
export function OtherPlaceHint() {
  return (
    <>
      Not in one of the 50 states? Call <ProviderPhoneLink />.
    </>
  )
}
