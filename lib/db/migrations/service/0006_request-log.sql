-- A crash may forget these rows: no write-ahead log.
CREATE UNLOGGED TABLE "service"."request_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"access_key" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"endpoint" text,
	"status" integer,
	"code" text,
	"duration_ms" integer NOT NULL,
	"idempotency_key" text,
	"request_body" text,
	"request_note" text,
	"response_body" text,
	"response_note" text
);
--> statement-breakpoint
CREATE INDEX "request_log_of_key" ON "service"."request_log" USING btree ("access_key","id");--> statement-breakpoint
CREATE INDEX "request_log_request" ON "service"."request_log" USING btree ("request_id");