/** A notice of the provider: that it is not part of VA, or what a state requires it to say. */
export interface LegalNotice {
  version: string
  text: string
  link?: { label: string; url: string } | undefined
}

/** What differs in a state. `brand-folder.ts` describes the fields. */
interface StateRule {
  notice?: (LegalNotice & { mustAccept?: boolean | undefined }) | undefined
  noSignUp?: string | undefined
}

/** What a veteran agrees to, as it is shown. */
export interface ConsentText {
  kind: string
  version: string
  title: string
  text: string
  url?: string | undefined
  /** What is different from the previous version. Not part of what is agreed to. */
  changes?: string | undefined
  optional: boolean
}

/** The texts of the folder `legal/` of the brand. */
export interface Legal {
  notice?: LegalNotice | undefined
  /** By the full name of the state. */
  states: Readonly<Record<string, StateRule | undefined>>
  consents: readonly ConsentText[]
}

/** The `kind` of a consent to the notice of a state, if the notice has `mustAccept`. */
export const STATE_NOTICE = 'state-notice'

export const stateRule = ({ states }: Legal, state = ''): StateRule | undefined => states[state]

/** What a veteran of this state must accept, in the order of the screens. */
export function requiredConsents(legal: Legal, state: string): ConsentText[] {
  const required = legal.consents.filter(({ optional }) => !optional)
  const notice = stateRule(legal, state)?.notice
  if (!notice?.mustAccept) return required
  const { version, text, link } = notice
  const title = `Notice for ${state}`
  return [
    ...required,
    { kind: STATE_NOTICE, version, title, text, url: link?.url, optional: false },
  ]
}

/** The text that is recorded with a consent, and whose hash tells whether it has changed. */
export const shownText = ({ title, version, text, url }: ConsentText): string =>
  [`${title}, version ${version}`, text, ...(url === undefined ? [] : [url])].join('\n')
