declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** A request to send. */
  export type SwaggerRequest = {
    url: string;
    method: string;
    headers: Record<string, string>;
    credentials?: RequestCredentials;
  };

  export type SwaggerOptions = {
    domNode: HTMLElement;
    spec: object;
    validatorUrl: null;
    deepLinking: boolean;
    docExpansion: "none" | "list" | "full";
    defaultModelsExpandDepth: number;
    filter: boolean;
    tryItOutEnabled: boolean;
    displayRequestDuration: boolean;
    persistAuthorization: boolean;
    requestInterceptor: (request: SwaggerRequest) => SwaggerRequest;
    onComplete: () => void;
  };

  const SwaggerUI: (options: SwaggerOptions) => unknown;
  export default SwaggerUI;
}
