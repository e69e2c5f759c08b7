import useMediaQuery from '@mui/material/useMediaQuery'

/** Narrower screens have the menu as a bar, wider ones as a column beside the page. */
const NARROW = '(max-width: 899.95px)'
/** A phone on its side, or a page zoomed far in: a bar at the bottom would take too much of the height. */
const LOW = '(max-height: 500px)'

/** Where the dashboard's menu is. Exactly one of them matches. */
export const menuPlaces = {
  column: '@media (min-width: 900px)',
  bottom: `@media ${NARROW} and (min-height: 500.05px)`,
  side: `@media ${NARROW} and (min-width: 560px) and ${LOW}`,
  top: `@media (max-width: 559.95px) and ${LOW}`,
}

/** Whether the menu is a bar, where its entries stand close together. */
export const useMenuIsBar = () => useMediaQuery(NARROW, { noSsr: true })
