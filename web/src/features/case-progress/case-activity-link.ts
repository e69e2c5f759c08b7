import { screens } from '@guidon/contract/screens'

export const CASE_ACTIVITY_HASH = '#your-case'

/** Opens Settings at the section with the activity of the case. */
export const CASE_ACTIVITY_LINK = screens.settings + CASE_ACTIVITY_HASH
