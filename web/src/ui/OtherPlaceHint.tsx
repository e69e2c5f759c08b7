import { ProviderPhoneLink } from './ProviderPhoneLink.tsx'

/** For people who live elsewhere: the field offers the 50 states only. */
export function OtherPlaceHint() {
  return (
    <>
      Not in one of the 50 states? Call <ProviderPhoneLink />.
    </>
  )
}
