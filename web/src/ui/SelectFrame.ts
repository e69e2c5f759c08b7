import { styled } from '@mui/material/styles'

/** The frame of a native select and its arrow. */
export const SelectFrame = styled('div')(({ theme: { vars } }) => ({
  position: 'relative',
  '& > select': {
    width: '100%',
    padding: '11px 48px 11px 15px',
    font: 'inherit',
    lineHeight: 1.6,
    color: vars.palette.text.primary,
    textOverflow: 'ellipsis',
    appearance: 'none',
    backgroundColor: vars.palette.background.paper,
    border: `1px solid ${vars.palette.field}`,
    borderRadius: 8,
    cursor: 'pointer',
    '&:hover': { borderColor: vars.palette.text.primary },
    '&[aria-invalid=true]': {
      borderColor: vars.palette.error.main,
      boxShadow: `inset 0 0 0 1px ${vars.palette.error.main}`,
    },
    '&:focus': {
      outline: `2px solid ${vars.palette.primary.main}`,
      outlineOffset: -2,
      boxShadow: `0 0 0 4px ${vars.palette.tint.halo}`,
    },
    // The placeholder is not an answer.
    '&:has(> option[value=""]:checked)': { color: vars.palette.text.secondary },
    '& > option': {
      color: vars.palette.text.primary,
      backgroundColor: vars.palette.background.paper,
    },
  },
  '& > svg': {
    position: 'absolute',
    insetBlock: 0,
    right: 14,
    marginBlock: 'auto',
    pointerEvents: 'none',
    color: vars.palette.text.secondary,
  },
}))
