/** The page with its script and its style. The build makes it from `page.html`, `page.css` and `main.ts`. */
export declare const html: string;
/** The value of the header `Content-Security-Policy` for this page. */
export declare const contentSecurityPolicy: string;
