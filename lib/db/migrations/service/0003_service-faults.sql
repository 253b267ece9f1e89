CREATE TABLE "service"."modes" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"changes" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service"."faults" ALTER COLUMN "status" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "service"."faults" ALTER COLUMN "remaining" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "service"."faults" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "service"."faults" ADD COLUMN "code" text;--> statement-breakpoint
ALTER TABLE "service"."faults" ADD COLUMN "message" text;--> statement-breakpoint
ALTER TABLE "service"."faults" ADD COLUMN "shape" jsonb;--> statement-breakpoint
ALTER TABLE "service"."faults" ADD COLUMN "background" boolean DEFAULT false NOT NULL;