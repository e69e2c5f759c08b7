import { withClass } from './with-class.ts'
import css from './ActionRow.module.css'

/** A row of a list: an icon or number, text, and a button, which on narrow screens is below the text. */
export const ActionRow = withClass('div', css['actionRow'])

/** The buttons of a row; use it with `data-part="actions"`. */
export const RowActions = withClass('div', css['rowActions'])

/** The class of the list around the rows. */
export const rowList = css['rowList']
