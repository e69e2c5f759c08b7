import { withClass } from './with-class.ts'
import css from './FormStack.module.css'

/** A form with stacked fields; an empty notice takes no space. */
export const FormStack = withClass('form', css['formStack'])
