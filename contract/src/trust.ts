/** On every screen, on the pages of an outage, and in every email. */
export const CRISIS_LINE = 'Veterans Crisis Line'
export const CRISIS_CALL = 'dial 988, then press 1'
export const CRISIS_CALL_HREF = 'tel:988'
export const CRISIS_TEXT = 'text 838255'
export const CRISIS_TEXT_HREF = 'sms:838255'
/** The same for pages without scripts. */
export const CRISIS_HTML = `${CRISIS_LINE}: <a href="${CRISIS_CALL_HREF}">${CRISIS_CALL}</a>, or <a href="${CRISIS_TEXT_HREF}">${CRISIS_TEXT}</a>.`
/** The same as plain text. */
export const CRISIS_SENTENCE = `${CRISIS_LINE}: ${CRISIS_CALL}, or ${CRISIS_TEXT}.`

export const NEVER_ASKED = 'We never ask for your VA.gov or ID.me password.'
