import { useMediaQuery } from '../../../ui/use-media-query.ts'

/** On a computer: the device itself is no phone, whose camera a file chooser offers already. */
export const useHasOtherPhone = (): boolean =>
  useMediaQuery('(pointer: fine) and (min-width: 600px)')
