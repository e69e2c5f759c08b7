import { useMediaQuery } from '../../../ui/use-media-query.ts'

/** Whether this is a computer. A phone needs no other phone: its file chooser offers the camera. */
export const useIsComputer = (): boolean => useMediaQuery('(pointer: fine) and (min-width: 600px)')
