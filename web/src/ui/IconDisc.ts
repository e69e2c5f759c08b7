import { withClass } from './with-class.ts'
import css from './IconDisc.module.css'

/** The large icon above the heading of a result page. */
export const IconDisc = withClass('div', css['iconDisc'])
