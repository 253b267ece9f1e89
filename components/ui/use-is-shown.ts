import { useCallback, useEffect, useRef } from 'react'

/** Returns whether the component is still on the screen: after a wait its person may have gone to another page. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
