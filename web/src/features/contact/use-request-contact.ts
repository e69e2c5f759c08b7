import { requestContact, type ContactMethod } from '@guidon/contract/contact'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../api/call.ts'

export function useRequestContact() {
  // A second press can come before the next render.
  const running = useRef(false)
  const { mutate, isPending, error, reset, data } = useMutation({
    mutationFn: async (method: ContactMethod) => {
      await call(requestContact, { body: { method } })
      return method
    },
    onSettled: () => {
      running.current = false
    },
  })
  return {
    request: (method: ContactMethod) => {
      if (running.current) return
      running.current = true
      mutate(method)
    },
    busy: isPending,
    /** The requested method, once the request has been sent. */
    sent: data,
    failure: error?.message,
    reset,
  }
}
