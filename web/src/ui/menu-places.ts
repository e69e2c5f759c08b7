import { useMediaQuery } from './use-media-query.ts'

/** Narrower screens have the menu as a bar, wider ones as a column beside the page. */
const NARROW = '(max-width: 899.95px)'
/** Whether the menu is a bar, where its entries stand close together. */
export const useMenuIsBar = () => useMediaQuery(NARROW)
