import { withClass } from '../../ui/with-class.ts'
import css from './DialogForm.module.css'

/** A form in a dialog, with stacked fields; an empty notice takes no space. */
export const DialogForm = withClass('form', css['dialogForm'])

/** A `ref` that focuses its button as soon as it appears. */
export const focusOnMount = (button: HTMLButtonElement | null): void => button?.focus()
