import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useLayoutEffect, useRef } from 'react'
import { rowList } from '../../../ui/ActionRow.ts'
import { UnfinishedRow } from './UnfinishedRow.tsx'
import { useUnfinished } from './use-unfinished.ts'

const Region = styled('div')({ '&:focus': { outline: 'none' } })

const List = styled('ul')(({ theme }) => rowList(theme))

/** Uploads that stopped when the page was closed. Each continues once its file is chosen again. */
export function UnfinishedUploads() {
  const { unfinished, resume, uploadAnew, remove } = useUnfinished()
  const region = useRef<HTMLDivElement>(null)

  const count = unfinished.length
  /** The row whose pressed button is about to disappear, and how many rows there were. */
  const left = useRef<{ index: number; count: number }>(undefined)
  useLayoutEffect(() => {
    if (!left.current || count >= left.current.count) return
    const rows = [...region.current!.querySelectorAll('li')]
    const next = rows[left.current.index] ?? rows.at(-1)
    const target = next?.querySelector<HTMLElement>('button') ?? region.current
    target?.focus()
    left.current = undefined
  }, [count])

  return (
    <Region ref={region} tabIndex={-1}>
      {count > 0 && (
        <Paper variant="outlined">
          <Typography variant="h3" sx={{ p: 2, pb: 0 }}>
            Not finished
          </Typography>
          <List aria-label="Uploads that are not finished">
            {unfinished.map((upload, index) => (
              <UnfinishedRow
                key={upload.id}
                upload={upload}
                onResume={(file) => {
                  left.current = { index, count }
                  resume(upload, file)
                }}
                onUploadAnew={(file) => void uploadAnew(upload, file)}
                onRemove={async () => {
                  left.current = { index, count }
                  await remove(upload)
                }}
              />
            ))}
          </List>
        </Paper>
      )}
    </Region>
  )
}
