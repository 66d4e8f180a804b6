import { useContext } from "react";
import { DocumentRequestContext } from "#app/web/request-id.ts";
import { type ScreenshotName, screenshots, screenshotUrl } from "./screenshots.ts";

/**
 * A screenshot of the product in the page's scheme: the system's, or the theme that the person chose. Phones get one
 * that was taken on a phone. `first` is for the one that is seen before the page is scrolled.
 */
export function Screenshot({ name, alt, first = false }: { name: ScreenshotName; alt: string; first?: boolean }) {
  const { theme } = useContext(DocumentRequestContext);
  const { wide, phone } = screenshots[name];
  const onPhone = "(max-width: 639px)";
  const inDark = "(prefers-color-scheme: dark)";
  const scheme = theme ?? "light";
  return (
    <picture className="screenshot">
      {theme ? null : (
        <>
          <source media={`${onPhone} and ${inDark}`} srcSet={screenshotUrl(name, "phone", "dark")} {...phone} />
          <source media={inDark} srcSet={screenshotUrl(name, "wide", "dark")} {...wide} />
        </>
      )}
      <source media={onPhone} srcSet={screenshotUrl(name, "phone", scheme)} {...phone} />
      <img
        src={screenshotUrl(name, "wide", scheme)}
        {...wide}
        alt={alt}
        decoding="async"
        {...(first ? firstImage : { loading: "lazy" })}
      />
    </picture>
  );
}

/** React 18 knows the attribute only in lower case. */
const firstImage: Record<string, string> = { fetchpriority: "high" };
