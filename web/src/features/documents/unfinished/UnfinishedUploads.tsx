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

  /** The row whose pressed button is about to disappear. */
  const left = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (left.current === undefined) return
    const rows = [...region.current!.querySelectorAll('li')]
    const next = rows[left.current] ?? rows.at(-1)
    const target = next?.querySelector<HTMLElement>('button') ?? region.current
    target?.focus()
    left.current = undefined
  }, [unfinished.length])

  return (
    <Region ref={region} tabIndex={-1}>
      {unfinished.length > 0 && (
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
                  left.current = index
                  resume(upload, file)
                }}
                onUploadAnew={(file) => void uploadAnew(upload, file)}
                onRemove={async () => {
                  await remove(upload)
                  left.current = index
                }}
              />
            ))}
          </List>
        </Paper>
      )}
    </Region>
  )
}
