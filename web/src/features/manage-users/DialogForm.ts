import { withClass } from '../../ui/with-class.ts'
import css from './DialogForm.module.css'

/** A form in a dialog, with stacked fields; an empty notice takes no space. */
export const DialogForm = withClass('form', css['dialogForm'])

/** Focuses the button that replaces the pressed one. */
export const focusOnMount = (button: HTMLButtonElement | null): void => button?.focus()
